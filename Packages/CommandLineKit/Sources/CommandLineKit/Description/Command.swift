/// A command of a program: what can be typed after its name, and what runs then.
public struct Command: Sendable {
    /// Runs a command and returns what the process should exit with.
    public typealias Run =
        @Sendable (Invocation, Terminal) async throws(CommandError) -> ExitCode

    /// A line that can be typed, and what it does.
    public struct Example: Sendable, Hashable {
        /// The line, with the name of the program.
        public var line: String
        /// What it does, as a phrase.
        public var summary: String

        /// Makes an example.
        public init(_ line: String, _ summary: String) {
            self.line = line
            self.summary = summary
        }
    }

    /// What is typed after the name of the program.
    public var name: String
    /// What it does, as a phrase without a capital letter or a full stop.
    public var summary: String
    /// Paragraphs for help and the manual page.
    public var details: [String]
    /// Required arguments come before optional ones.
    public var arguments: [Argument]
    /// The options that its usage line shows.
    public var options: [Option]
    /// Options that it shares with other commands. `--help` is added to every command.
    public var optionGroups: [OptionGroup]
    /// Lines for help and the manual page.
    public var examples: [Example]
    /// The last paragraph of help.
    public var footnote: String?
    /// What runs.
    public var run: Run

    /// Describes a command.
    public init(
        _ name: String,
        _ summary: String,
        details: [String] = [],
        arguments: [Argument] = [],
        options: [Option] = [],
        optionGroups: [OptionGroup] = [],
        examples: [Example] = [],
        footnote: String? = nil,
        run: @escaping Run
    ) {
        self.name = name
        self.summary = summary
        self.details = details
        self.arguments = arguments
        self.options = options
        self.optionGroups = optionGroups
        self.examples = examples
        self.footnote = footnote
        self.run = run
    }

    /// Every option that it takes.
    public var allOptions: [Option] {
        options + optionGroups.flatMap(\.options) + [.help]
    }

    /// The command and its arguments, as they are typed.
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
