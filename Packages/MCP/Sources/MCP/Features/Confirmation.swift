public import JSON

/// A question to ask the user before a tool is called.
public struct Confirmation: Sendable {
    /// The question, as plain text. It must tell the user what the call does and what it stores.
    public var question: String
    /// Arguments, by name, that are set in the call after the user consents. They replace arguments
    /// that the call has.
    ///
    /// With these, the call does exactly what the question says. If the question contains a value
    /// that the call omits, such as the current price, pin that value. If an argument is a name,
    /// pin the id that the name referred to.
    public var pinnedArguments: [String: JSONFragment]
    /// Whether the arguments of the call state everything that it does, and it destroys nothing. Such a
    /// call needs no question under ``Consent/Policy/destructive``.
    public var isExplicit: Bool

    /// Creates a confirmation.
    public init(
        _ question: String,
        pinnedArguments: [String: JSONFragment] = [:],
        isExplicit: Bool = false
    ) {
        self.question = question
        self.pinnedArguments = pinnedArguments
        self.isExplicit = isExplicit
    }
}
