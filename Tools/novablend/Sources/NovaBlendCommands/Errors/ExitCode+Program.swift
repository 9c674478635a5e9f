import CommandLineKit

/// The exit codes of the program. They are stable.
extension ExitCode {
    static let slotRejected = ExitCode(rawValue: 3)
    static let conflict = ExitCode(rawValue: 4)
    static let invalidData = ExitCode(rawValue: 65)
    static let notFound = ExitCode(rawValue: 66)
    static let unavailable = ExitCode(rawValue: 69)
    static let internalError = ExitCode(rawValue: 70)
    static let notWritten = ExitCode(rawValue: 73)
    static let inDoubt = ExitCode(rawValue: 75)
    static let serverRejected = ExitCode(rawValue: 76)
    static let notAllowed = ExitCode(rawValue: 77)
    static let interrupted = ExitCode(rawValue: 130)

    static let meanings: [(code: ExitCode, meaning: String)] = [
        (.success, "success"),
        (.failure, "failure; for doctor: a check failed; for serve: the input was truncated"),
        (.slotRejected, "the time cannot be booked: it is taken, closed, or against a rule"),
        (
            .conflict,
            "the key was used for a different request, the version is not current, or the salon has "
                + "appointments"
        ),
        (.usage, "incorrect usage, or a value that the command does not accept"),
        (.invalidData, "the server violated the contract"),
        (.notFound, "no such salon, appointment, or hold"),
        (
            .unavailable,
            "the server cannot be reached or cannot serve now, and the cache cannot replace it"
        ),
        (.internalError, "an internal error"),
        (.systemError, "the system could not start a thread; nothing was done"),
        (.notWritten, "a file could not be written"),
        (
            .inputOutput,
            "cached or stored data could not be read or deleted, or the output could not be written"
        ),
        (
            .inDoubt,
            "sent, but the outcome is unknown; for a booking, novablend resolve finds out what "
                + "happened"
        ),
        (.serverRejected, "the server rejected the request for a reason of its own"),
        (.notAllowed, "read-only, not confirmed, or the server rejected the credentials"),
        (
            .configuration,
            "no server is configured, the configuration file is wrong, or tzdata is missing"
        ),
        (.interrupted, "interrupted"),
    ]
}
