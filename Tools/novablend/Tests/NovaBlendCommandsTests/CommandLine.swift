import CommandLineKit

@testable import NovaBlendCommands

/// Parses a command line of the program. Throws if it does not run a command.
func invocation(_ words: [String]) throws -> Invocation {
    guard case .run(let invocation) = try CommandLineParser(NovaBlendProgram.program).parse(words)
    else { throw CommandError(.failure, "\(words) does not run a command") }
    return invocation
}

/// Parses `text` as a configuration file with the path `f`.
func configurationFile(_ text: String) throws(CommandError) -> ConfigurationFile {
    try ConfigurationFile(text, path: "f", schema: ServerOptions.schema)
}

/// The error that `body` throws.
func commandError(of body: () throws -> Void) -> CommandError? {
    do { try body() } catch { return error as? CommandError }
    return nil
}
