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
