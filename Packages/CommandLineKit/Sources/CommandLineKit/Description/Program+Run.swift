extension Program {
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
