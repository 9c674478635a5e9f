import CommandLineKit

@testable import NovaBlendCommands

/// Parses a command line of the program; fails if it does not run a command.
func invocation(_ words: [String]) throws -> Invocation {
    guard case .run(let invocation) = try CommandLineParser(NovaBlendProgram.program).parse(words)
    else { throw CommandError(.failure, "\(words) runs nothing") }
    return invocation
}

/// A configuration file `f` with that text.
func configurationFile(_ text: String) throws(CommandError) -> ConfigurationFile {
    try ConfigurationFile(text, path: "f", schema: ServerOptions.schema)
}

/// The error that `body` throws.
func commandError(of body: () throws -> Void) -> CommandError? {
    do { try body() } catch { return error as? CommandError }
    return nil
}
