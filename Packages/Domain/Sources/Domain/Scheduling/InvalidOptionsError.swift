/// A salon does not offer what a request chooses.
public struct InvalidOptionsError: Error, Sendable, Hashable {
    /// The field of the request: `serviceId`, `staffId`, or `seats`.
    public var field: String
    /// What is wrong with it.
    public var reason: String

    /// Creates an error.
    public init(field: String, reason: String) {
        self.field = field
        self.reason = reason
    }
}
