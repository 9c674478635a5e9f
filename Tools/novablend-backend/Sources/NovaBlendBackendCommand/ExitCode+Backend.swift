import CommandLineKit

/// The exit codes of the program. Codes that `novablend` also uses have the same meaning there.
extension ExitCode {
    static let invalidData = ExitCode(rawValue: 65)
    static let notFound = ExitCode(rawValue: 66)

    static let meanings: [(code: ExitCode, meaning: String)] = [
        (.success, "success"),
        (.failure, "the database cannot be used, or the address cannot be listened on"),
        (.usage, "incorrect usage, or a value that the command does not accept"),
        (.invalidData, "a file of salons has errors"),
        (.notFound, "a file does not exist or cannot be read"),
        (.inputOutput, "the output could not be written"),
        (.configuration, "no database is chosen, and there is no default directory for it"),
    ]
}
