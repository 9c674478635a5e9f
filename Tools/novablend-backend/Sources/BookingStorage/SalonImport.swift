/// The result of an import of salons.
public struct SalonImport: Sendable, Hashable {
    /// The number of salons that did not exist before.
    public var created = 0
    /// The number of salons that were replaced.
    public var replaced = 0
    /// The number of salons that were already stored in the same form.
    public var unchanged = 0

    /// Creates a result without salons.
    public init() {}
}
