/// What the program ends with. These are stable; from 64 on they are those of sysexits.h.
enum ExitCode: Int32, CaseIterable, Sendable {
    case done = 0
    case failed = 1
    case refused = 3
    case conflict = 4
    case usage = 64
    case invalidData = 65
    case notFound = 66
    case unavailable = 69
    case internalError = 70
    case notWritten = 73
    case notRead = 74
    case inDoubt = 75
    case remoteRejected = 76
    case notAllowed = 77
    case configuration = 78
    case interrupted = 130

    var meaning: String {
        switch self {
        case .done: "done"
        case .failed: "failed; of doctor: a check failed; of serve: input was cut off"
        case .refused: "the time cannot be booked: taken, closed or against a rule"
        case .conflict: "the key or version belongs to something else"
        case .usage: "wrong usage, or a value that the command does not take"
        case .invalidData: "the remote broke the contract"
        case .notFound: "there is no such salon or appointment"
        case .unavailable:
            "the server cannot be reached or cannot serve now, and nothing in the cache may stand in"
        case .internalError: "an error within the program"
        case .notWritten: "something could not be written"
        case .notRead: "what is kept could not be read or deleted, or the output not written"
        case .inDoubt: "sent, and no answer came: novablend resolve finds out"
        case .remoteRejected: "the remote refused for a reason of its own"
        case .notAllowed: "read-only, not confirmed, or rejected credentials"
        case .configuration:
            "no remote is configured, the configuration file is wrong, or tzdata is missing"
        case .interrupted: "interrupted"
        }
    }
}
