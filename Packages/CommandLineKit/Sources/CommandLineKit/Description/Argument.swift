/// An argument of a command, whatever the type of its value.
public protocol CommandArgument: Sendable {
    /// The name as help shows it, in capital letters.
    var name: String { get }
    /// The kind of value that the argument takes.
    var anyKind: ValueKind<any Sendable> { get }
    /// Whether the command fails without the argument.
    var isRequired: Bool { get }
    /// A phrase that describes the argument in help.
    var summary: String { get }
}

/// A value that is identified by its position. ``Invocation`` has the parsed value.
public struct Argument<Value: Sendable>: CommandArgument {
    /// The name as help shows it, in capital letters.
    public var name: String
    /// The kind of value that the argument takes.
    public var kind: ValueKind<Value>
    /// Whether the command fails without the argument.
    public var isRequired: Bool
    /// A phrase that describes the argument in help.
    public var summary: String

    /// Creates an argument.
    public init(
        _ name: String,
        _ kind: ValueKind<Value>,
        isRequired: Bool = true,
        _ summary: String
    ) {
        self.name = name
        self.kind = kind
        self.isRequired = isRequired
        self.summary = summary
    }

    /// The kind of value that the argument takes.
    public var anyKind: ValueKind<any Sendable> { kind.map { $0 } }
}
