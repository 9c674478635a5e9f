extension Program {
    /// Does what `arguments` ask for: runs a command, or prints help or the version. An error goes
    /// to standard error.
    ///
    /// - Parameter arguments: without the name of the program.
    /// - Returns: what the process should exit with.
    public func run(_ arguments: [String], on terminal: Terminal = Terminal()) async -> ExitCode {
        do {
            return try await perform(arguments, on: terminal)
        } catch {
            terminal.show(error, program: name)
            return error.exitCode
        }
    }

    /// The same as ``run(_:on:)``, except that the caller reports the error.
    public func perform(
        _ arguments: [String],
        on terminal: Terminal
    ) async throws(CommandError) -> ExitCode {
        switch try CommandLineParser(self).parse(arguments) {
        case .help(let command):
            try terminal.print([HelpText.text(for: command, of: self)])
        case .version:
            try terminal.print(["\(name) \(version)"])
        case .run(let invocation):
            return try await invocation.command.run(invocation, terminal)
        }
        return .success
    }
}
