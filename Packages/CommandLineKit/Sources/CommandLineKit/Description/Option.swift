/// An option of a command, whatever the type of its value.
public protocol CommandOption: Sendable {
    /// The name of the option without its dashes.
    var name: String { get }
    /// The kind of value that the option takes; nil for a flag.
    var anyKind: ValueKind<any Sendable>? { get }
    /// Whether the value may be omitted.
    var isValueOptional: Bool { get }
    /// Whether the command fails without the option.
    var isRequired: Bool { get }
    /// A phrase that describes the option in help.
    var summary: String { get }
}

/// A value or a flag that is identified by its name. ``Invocation`` has the parsed value.
public struct Option<Value: Sendable>: CommandOption {
    /// The name of the option without its dashes.
    public var name: String
    /// The kind of value that the option takes; nil for a flag.
    public var kind: ValueKind<Value>?
    /// Whether the value may be omitted. If so, a value must be written as `--name=VALUE`, because
    /// in `--name VALUE` the word `VALUE` is an argument.
    public var isValueOptional = false
    /// Whether the command fails without the option.
    public var isRequired = false
    /// A phrase that describes the option in help.
    public var summary: String

    /// Creates an option with a value.
    public init(
        _ name: String,
        _ kind: ValueKind<Value>,
        isValueOptional: Bool = false,
        isRequired: Bool = false,
        _ summary: String
    ) {
        self.name = name
        self.kind = kind
        self.isValueOptional = isValueOptional
        self.isRequired = isRequired
        self.summary = summary
    }

    /// The kind of value that the option takes; nil for a flag.
    public var anyKind: ValueKind<any Sendable>? { kind?.map { $0 } }
}

extension Option<Bool> {
    /// Creates a flag.
    public init(_ name: String, _ summary: String) {
        self.name = name
        self.summary = summary
    }

    static let help = Option("help", "show this help")
}

extension CommandOption {
    /// The option as users type it: `--limit N`, `--ical[=FILE]`, or `--json`.
    public var spelling: String {
        guard let placeholder = anyKind?.placeholder else { return "--\(name)" }
        return isValueOptional ? "--\(name)[=\(placeholder)]" : "--\(name) \(placeholder)"
    }
}

extension Sequence<any CommandOption> {
    /// The option that is typed as `word`, such as `--limit`.
    func typed(as word: String) -> (any CommandOption)? {
        guard word.hasPrefix("--") else { return nil }
        let name = word.dropFirst(2)
        return first { $0.name == name }
    }
}

/// Options that several commands share. Help shows them under their own title.
public struct OptionGroup: Sendable {
    /// The title of the group, without a colon.
    public var title: String
    /// The options in the order in which help shows them.
    public var options: [any CommandOption]

    /// Creates a group.
    public init(_ title: String, _ options: [any CommandOption]) {
        self.title = title
        self.options = options
    }
}
