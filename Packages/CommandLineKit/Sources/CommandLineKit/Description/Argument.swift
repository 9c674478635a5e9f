/// A value that is identified by its position.
public struct Argument: Sendable {
    /// In capital letters, as help shows it.
    public var name: String
    /// The kind of its value.
    public var kind: ValueKind
    /// Whether it may not be left out.
    public var isRequired: Bool
    /// What it is, as a phrase.
    public var summary: String

    /// Describes an argument.
    public init(_ name: String, _ kind: ValueKind, isRequired: Bool = true, _ summary: String) {
        self.name = name
        self.kind = kind
        self.isRequired = isRequired
        self.summary = summary
    }
}
