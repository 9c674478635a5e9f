/// A value or a flag that is identified by its name.
public struct Option: Sendable {
    /// The name without its dashes.
    public var name: String
    /// The value that it takes; nil for a flag.
    public var kind: ValueKind?
    /// Whether the value may be omitted. If so, a value must be written as `--name=VALUE`, because
    /// in `--name VALUE` the word `VALUE` is an argument.
    public var isValueOptional = false
    /// Whether the command fails without it.
    public var isRequired = false
    /// A phrase that describes it in help.
    public var summary: String

    /// Creates a flag.
    public init(_ name: String, _ summary: String) {
        self.name = name
        self.summary = summary
    }

    /// Creates an option with a value.
    public init(
        _ name: String,
        _ kind: ValueKind,
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

    static let help = Option("help", "show this help")

    /// The option as users type it: `--limit N`, `--ical[=FILE]`, or `--json`.
    public var spelling: String {
        guard let kind else { return "--\(name)" }
        return isValueOptional ? "--\(name)[=\(kind.placeholder)]" : "--\(name) \(kind.placeholder)"
    }
}

/// Options that several commands share. Help shows them under their own title.
public struct OptionGroup: Sendable {
    /// The title, without a colon.
    public var title: String
    /// The options in the order in which help shows them.
    public var options: [Option]

    /// Creates a group.
    public init(_ title: String, _ options: [Option]) {
        self.title = title
        self.options = options
    }
}
