/// A value that is identified by its position.
public struct Argument: Sendable {
    /// The name as help shows it, in capital letters.
    public var name: String
    /// The kind of value that it takes.
    public var kind: ValueKind
    /// Whether the command fails without it.
    public var isRequired: Bool
    /// A phrase that describes it in help.
    public var summary: String

    /// Creates an argument.
    public init(_ name: String, _ kind: ValueKind, isRequired: Bool = true, _ summary: String) {
        self.name = name
        self.kind = kind
        self.isRequired = isRequired
        self.summary = summary
    }
}
