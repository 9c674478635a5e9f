import CommandLineKit

/// The exit codes of the program. Codes that `novablend` also uses have the same meaning there.
extension ExitCode {
    static let meanings: [(code: ExitCode, meaning: String)] = [
        (.success, "success"),
        (.failure, "the database cannot be used, or the address cannot be listened on"),
        (.usage, "incorrect usage, or a value that the command does not accept"),
        (.inputOutput, "the output could not be written"),
        (.configuration, "no database is chosen, and there is no default directory for it"),
    ]
}
