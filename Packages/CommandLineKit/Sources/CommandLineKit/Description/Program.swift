import Glibc
import SystemSupport

/// A program with commands. The parser, help, the manual page, and shell completions all come from
/// this description.
public struct Program: Sendable {
    /// The name of the executable.
    public var name: String
    /// The version, which `--version` prints after the name.
    public var version: String
    /// A phrase that describes what the program does, without a capital letter or a period.
    public var summary: String
    /// Paragraphs for help and the manual page.
    public var description: [String]
    /// The commands, in the order in which help shows them.
    public var commands: [Command]
    /// The name of the command that runs if the command line names none; nil to show help.
    public var defaultCommand: String?
    /// The default path of the configuration file, and what the file contains.
    public var configurationFile: Definition?
    /// Other files, for the manual page.
    public var files: [Definition]
    /// The environment variables that the program reads.
    public var environment: [Definition]
    /// Every exit code that the program uses, and what it means.
    public var exitCodes: [(code: ExitCode, meaning: String)]
    /// Examples of command lines for new users, for help and the manual page.
    public var examples: [Command.Example]
    /// Finds the values of the kind ``ShellCompletion/candidates`` that a shell offers; nil if
    /// there is no such kind.
    public var complete: Complete?

    /// Creates a program.
    public init(
        name: String,
        version: String,
        summary: String,
        description: [String] = [],
        commands: [Command],
        defaultCommand: String? = nil,
        configurationFile: Definition? = nil,
        files: [Definition] = [],
        environment: [Definition] = [],
        exitCodes: [(code: ExitCode, meaning: String)] = [],
        examples: [Command.Example] = [],
        complete: Complete? = nil
    ) {
        self.name = name
        self.version = version
        self.summary = summary
        self.description = description
        self.commands = commands
        self.defaultCommand = defaultCommand
        self.configurationFile = configurationFile
        self.files = files
        self.environment = environment
        self.exitCodes = exitCodes
        self.examples = examples
        self.complete = complete
    }

    /// A term, such as the name of an environment variable, and its meaning.
    public struct Definition: Sendable, Hashable {
        /// The term to explain.
        public var term: String
        /// The meaning of the term, as a phrase or a sentence.
        public var meaning: String

        /// Creates a definition.
        public init(_ term: String, _ meaning: String) {
            self.term = term
            self.meaning = meaning
        }
    }

    /// The default command; nil if the program has none.
    var implicitCommand: Command? { commands.first { $0.name == defaultCommand } }

    /// The options of the default command, besides `--help`.
    var defaultOptions: [any CommandOption] {
        implicitCommand?.allOptions.filter { $0.name != "help" } ?? []
    }

    /// Paragraphs for help and the manual page, including which command is the default.
    var paragraphs: [String] {
        description + (defaultCommand.map { ["Without a command, it runs \($0)."] } ?? [])
    }

    /// The commands in a group, in order.
    func commands(inGroup group: String) -> [Command] { commands.filter { $0.group == group } }

    /// The names of the groups of commands, in order.
    var groups: [String] { firstWords.filter { !commands(inGroup: $0).isEmpty } }

    /// The first words of all commands, in order: the names of commands and of groups.
    var firstWords: [String] {
        commands.map { $0.group ?? $0.name }.reduce(into: []) { words, word in
            if !words.contains(word) { words.append(word) }
        }
    }

    /// The option groups of all commands, without duplicates.
    var optionGroups: [OptionGroup] {
        commands.flatMap(\.optionGroups).reduce(into: []) { groups, group in
            if !groups.contains(where: { $0.title == group.title }) { groups.append(group) }
        }
    }
}

extension Program {
    /// Throws if the system cannot start the threads that Swift's concurrency runtime needs, for example
    /// because of `ulimit -u`. Call this before the first task: without a thread, the runtime would try
    /// again without end.
    public static func requireThreads() throws(CommandError) {
        // The runtime starts one thread for events, and others up to the number of processors.
        let processors = sysconf(Int32(_SC_NPROCESSORS_ONLN))
        do { try SystemThread.require(1 + min(max(processors, 1), 4)) } catch {
            throw CommandError(
                .systemError,
                "the system could not start a thread: \(error)",
                note: "nothing was done, and nothing was sent",
                suggestions: [
                    "ulimit -u, which shows how many processes and threads a user may have",
                    "the same command a little later",
                ]
            )
        }
    }

    /// Runs the command that `arguments` name, or prints help or the version. Prints an error to
    /// standard error.
    ///
    /// - Parameters:
    ///   - arguments: The command line without the name of the program.
    ///   - terminal: Where results and messages go.
    /// - Returns: The exit code for the process.
    public func run(_ arguments: [String], on terminal: Terminal = Terminal()) async -> ExitCode {
        do {
            return try await perform(arguments, on: terminal)
        } catch {
            terminal.show(error, program: name)
            return error.exitCode
        }
    }

    /// Runs the command that `arguments` name, or prints help or the version, like ``run(_:on:)``,
    /// but throws an error instead of printing it.
    public func perform(
        _ arguments: [String],
        on terminal: Terminal
    ) async throws(CommandError) -> ExitCode {
        if arguments.first == Self.completionWord {
            await printCandidates(arguments.dropFirst(), on: terminal)
            return .success
        }
        switch try CommandLineParser(self).parse(arguments) {
        case .help(let command):
            try terminal.print([HelpText.text(for: command, of: self)])
        case .groupHelp(let group):
            try terminal.print([HelpText.text(forGroup: group, of: self)])
        case .version:
            try terminal.print(["\(name) \(version)"])
        case .run(let invocation):
            return try await invocation.command.run(invocation, terminal)
        }
        return .success
    }
}
