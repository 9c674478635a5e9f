/// A program with commands. The parser, help, the manual page, and shell completions all come from
/// this description.
public struct Program: Sendable {
    /// The name that is typed to run the program.
    public var name: String
    /// What `--version` prints after the name.
    public var version: String
    /// What the program does, as a phrase without a capital letter or a full stop.
    public var summary: String
    /// Paragraphs for help and the manual page.
    public var description: [String]
    /// In the order in which help shows them.
    public var commands: [Command]
    /// The usual path of the configuration file, and what the file contains.
    public var configurationFile: Definition?
    /// Other files, for the manual page.
    public var files: [Definition]
    /// Environment variables.
    public var environment: [Definition]
    /// Every exit code that the program uses, and what it means.
    public var exitCodes: [(code: ExitCode, meaning: String)]
    /// Lines for a first try.
    public var examples: [Command.Example]

    /// Describes a program.
    public init(
        name: String,
        version: String,
        summary: String,
        description: [String] = [],
        commands: [Command],
        configurationFile: Definition? = nil,
        files: [Definition] = [],
        environment: [Definition] = [],
        exitCodes: [(code: ExitCode, meaning: String)] = [],
        examples: [Command.Example] = []
    ) {
        self.name = name
        self.version = version
        self.summary = summary
        self.description = description
        self.commands = commands
        self.configurationFile = configurationFile
        self.files = files
        self.environment = environment
        self.exitCodes = exitCodes
        self.examples = examples
    }

    /// A term, such as the name of an environment variable, and what it means.
    public struct Definition: Sendable, Hashable {
        /// The name that is defined.
        public var term: String
        /// A phrase or a sentence.
        public var meaning: String

        /// Makes a definition.
        public init(_ term: String, _ meaning: String) {
            self.term = term
            self.meaning = meaning
        }
    }

    /// The option groups of all commands, each once.
    var optionGroups: [OptionGroup] {
        commands.flatMap(\.optionGroups).reduce(into: []) { groups, group in
            if !groups.contains(where: { $0.title == group.title }) { groups.append(group) }
        }
    }
}
