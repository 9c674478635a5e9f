import Glibc
import SystemSupport

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
