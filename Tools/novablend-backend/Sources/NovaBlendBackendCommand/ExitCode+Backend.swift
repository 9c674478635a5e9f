import BookingStorage
import CommandLineKit

/// The exit codes of the program. Codes that `novablend` also uses have the same meaning there.
extension ExitCode {
    static let conflict = ExitCode(rawValue: 4)
    static let invalidData = ExitCode(rawValue: 65)
    static let notFound = ExitCode(rawValue: 66)
    static let unavailable = ExitCode(rawValue: 69)
    static let notWritten = ExitCode(rawValue: 73)

    static let meanings: [(code: ExitCode, meaning: String)] = [
        (.success, "success"),
        (
            .failure,
            "the database cannot be used, the server cannot listen on the address, or the user did "
                + "not confirm"
        ),
        (
            .conflict,
            "a salon with bookings in the future, or a customer with bookings that have not ended, "
                + "would be deleted"
        ),
        (.usage, "incorrect usage, or a value that the command does not accept"),
        (.invalidData, "a file of salons has errors"),
        (.notFound, "a file, a salon, or a token does not exist, or a file cannot be read"),
        (.unavailable, "the database is locked, or its server cannot be reached; try again later"),
        (.systemError, "the system could not start a thread; nothing was done"),
        (.notWritten, "a file could not be written, or exists already"),
        (
            .inputOutput,
            "the database could not be read or written, or the output could not be written"
        ),
        (
            .configuration,
            "the configuration file is wrong, or no database is chosen and there is no default "
                + "directory for it"
        ),
    ]
}

extension CommandError {
    /// The error of a command for a failure of the storage.
    ///
    /// - Parameter problem: What the failure prevents.
    init(_ failure: StorageFailure, _ problem: String = "the database failed") {
        let code: ExitCode =
            switch failure.kind {
            case .locked, .overloaded, .unreachable: .unavailable
            case .corrupted, .newerSchema: .failure
            default: .inputOutput
            }
        self.init(code, "\(problem): \(failure)", underlyingError: failure)
    }

    /// The error of a command for an error of the store.
    init(_ error: Problem) {
        if let failure = error.failure {
            self.init(failure)
        } else {
            self.init(.failure, "the database failed: \(error)", underlyingError: error)
        }
    }
}
