/// A command: its arguments, options, and documentation, and the function that runs it. The
/// description, except for the name and the summary, is made when it is read, so that a program
/// with many commands starts fast.
public struct Command: Sendable {
    /// Runs a command and returns the exit code.
    public typealias Run =
        @Sendable (Invocation, Terminal) async throws(CommandError) -> ExitCode

    /// An example of a command line, and what it does.
    public struct Example: Sendable, Hashable {
        /// The command line, including the name of the program.
        public var line: String
        /// A phrase that describes what the command line does.
        public var summary: String

        /// Creates an example.
        public init(_ line: String, _ summary: String) {
            self.line = line
            self.summary = summary
        }
    }

    /// The name that users type after the name of the program: one word, or two words if the command
    /// belongs to a group, such as `cache clear`. A group must not have the name of a command.
    public var name: String
    /// A phrase that describes what the command does, without a capital letter or a period.
    public var summary: String
    /// Paragraphs for help and the manual page.
    public var details: [String] { makeDetails() }
    /// The arguments. Required ones come before optional ones.
    public var arguments: [any CommandArgument] { makeArguments() }
    /// The options that only this command has. The usage line shows them.
    public var options: [any CommandOption] { makeOptions() }
    /// The options that the command shares with others. Every command also has `--help`.
    public var optionGroups: [OptionGroup] { makeOptionGroups() }
    /// Examples for help and the manual page.
    public var examples: [Example] { makeExamples() }
    /// The last paragraph of help.
    public var footnote: String? { makeFootnote() }
    /// The function that runs the command.
    public var run: Run

    private let makeDetails: @Sendable () -> [String]
    private let makeArguments: @Sendable () -> [any CommandArgument]
    private let makeOptions: @Sendable () -> [any CommandOption]
    private let makeOptionGroups: @Sendable () -> [OptionGroup]
    private let makeExamples: @Sendable () -> [Example]
    private let makeFootnote: @Sendable () -> String?

    /// Creates a command.
    public init(
        _ name: String,
        _ summary: String,
        details: @escaping @autoclosure @Sendable () -> [String] = [],
        arguments: @escaping @autoclosure @Sendable () -> [any CommandArgument] = [],
        options: @escaping @autoclosure @Sendable () -> [any CommandOption] = [],
        optionGroups: @escaping @autoclosure @Sendable () -> [OptionGroup] = [],
        examples: @escaping @autoclosure @Sendable () -> [Example] = [],
        footnote: @escaping @autoclosure @Sendable () -> String? = nil,
        run: @escaping Run
    ) {
        self.name = name
        self.summary = summary
        makeDetails = details
        makeArguments = arguments
        makeOptions = options
        makeOptionGroups = optionGroups
        makeExamples = examples
        makeFootnote = footnote
        self.run = run
    }

    /// The first word of a name of two words; nil for a command that belongs to no group.
    var group: String? {
        name.utf8.firstIndex(of: UInt8(ascii: " ")).map { String(name[..<$0]) }
    }

    /// The last word of the name.
    var lastWord: String { name.split(separator: " ").last.map(String.init) ?? name }

    /// All options that the command takes.
    public var allOptions: [any CommandOption] {
        options + optionGroups.flatMap(\.options) + [Option.help]
    }

    /// The name and the arguments, such as `list [QUERY]`.
    var synopsis: String {
        ([name] + arguments.map { $0.isRequired ? $0.name : "[\($0.name)]" })
            .joined(separator: " ")
    }

    /// The synopsis with the command's own options.
    var usage: String {
        ([synopsis] + options.map { $0.isRequired ? $0.spelling : "[\($0.spelling)]" })
            .joined(separator: " ")
    }
}

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
