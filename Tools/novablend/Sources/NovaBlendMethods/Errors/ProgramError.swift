import Contract
import Domain
package import JSON
package import JSONRPC

/// The errors of this program: their names and codes.
package enum ProgramError: Int, CaseIterable {
    case connectivity = 1_001
    case invalidData = 1_002
    case serverRejected = 1_003
    case unavailable = 1_004
    case notAuthenticated = 1_005
    case notAllowed = 1_006
    case cacheRetrieval = 1_101
    case cacheDeletion = 1_102
    case cacheInsertion = 1_103
    case fileNotWritten = 1_104
    case journalUnavailable = 1_105
    case inputOutput = 1_106
    case bookingRequiresConnection = 1_201
    case slotUnavailable = 1_202
    case outsideOpeningHours = 1_203
    case salonNotFound = 1_204
    case appointmentNotFound = 1_205
    case bookingInDoubt = 1_206
    case idempotencyConflict = 1_207
    case versionConflict = 1_208
    case declined = 1_209
    case notBookable = 1_210
    case zoneUnknown = 1_211
    case salonHasBookings = 1_212
    case salonInDoubt = 1_213
    case holdNotFound = 1_214
    case tooManyHolds = 1_215
    case holdsUnsupported = 1_216
    case holdInDoubt = 1_217
    case tooManyAppointments = 1_218
    case notConfigured = 1_301
    case readOnly = 1_302
    case invalidConfiguration = 1_303

    package var code: Int { rawValue }

    /// The name that a response has next to the code.
    package var name: String { "\(self)" }

    /// The member of an error's data that says what is wrong in words for a person.
    package static let reason: StaticString = "reason"

    /// The errors of a time that cannot be booked.
    static let aboutTimes: [ProgramError] = [.slotUnavailable, .outsideOpeningHours, .notBookable]

    /// The members of the error's data that are arrays of times.
    var times: [String] { Self.aboutTimes.contains(self) ? ["alternatives"] : [] }

    private var isRetryable: Bool {
        switch self {
        case .connectivity, .unavailable, .bookingRequiresConnection, .bookingInDoubt,
            .salonInDoubt, .tooManyHolds, .holdInDoubt:
            true
        default: false
        }
    }

    /// Makes the error of a response. Its message is `reason`, which says what is wrong in words for a
    /// person, and `advice` for the program that called. `more` adds members to its data.
    package func error(
        _ reason: String,
        advice: String? = nil,
        retryAfterSeconds: Int? = nil,
        more: (inout JSONWriter) -> Void = { _ in }
    ) -> RPCError {
        let message = advice.map { "\(reason); \($0)" } ?? reason
        let data = JSONFragment.object { writer in
            writer.member("name", name)
            writer.member("retryable", isRetryable)
            writer.member(Self.reason, reason)
            writer.member("retryAfterSeconds", retryAfterSeconds)
            more(&writer)
        }
        return RPCError(code: code, message: message, data: data)
    }
}

extension ProgramError {
    /// The meaning of the error, in a sentence.
    package var summary: String {
        switch self {
        case .connectivity: "The server cannot be reached, and the cache cannot be used instead."
        case .invalidData: "The server's response violates the contract."
        case .serverRejected: "The server rejected the request."
        case .unavailable: "The server is too slow or overloaded, and nothing fresh is cached."
        case .notAuthenticated: "The server rejected the credentials (401)."
        case .notAllowed: "The credentials do not allow the request (403)."
        case .cacheRetrieval: "Cached data cannot be read."
        case .cacheDeletion: "Cached data cannot be deleted."
        case .cacheInsertion: "Data cannot be stored in the cache."
        case .fileNotWritten: "The file cannot be written."
        case .journalUnavailable:
            "The journal of bookings cannot be read or written. Nothing was sent."
        case .inputOutput: "A command cannot read a file or write its output."
        case .bookingRequiresConnection:
            "The server cannot be reached. Nothing was booked or changed."
        case .slotUnavailable: "The slot is taken."
        case .outsideOpeningHours: "The salon is closed at that time."
        case .salonNotFound: "The salon does not exist."
        case .appointmentNotFound: "The appointment does not exist, or it was cancelled."
        case .bookingInDoubt: "It is unknown whether the booking or the change was made."
        case .idempotencyConflict: "The idempotencyKey was used for a different request."
        case .versionConflict:
            "The appointment or the salon has changed since that version, so the change cannot be made."
        case .declined: "The user did not confirm a tool call. Nothing was changed."
        case .notBookable: "A rule of the salon forbids the time."
        case .zoneUnknown: "This machine does not know the salon's time zone."
        case .salonHasBookings: "The salon has appointments in the future, so it was not deleted."
        case .salonInDoubt: "It is unknown whether the salon was changed."
        case .holdNotFound: "The hold does not exist."
        case .tooManyHolds: "The server grants no hold at the moment."
        case .holdsUnsupported: "The server cannot hold times."
        case .holdInDoubt: "It is unknown whether the time is held. A hold ends by itself."
        case .tooManyAppointments: "The customer has as many appointments as it may have."
        case .notConfigured: "No server is configured."
        case .readOnly: "The program was started with --read-only."
        case .invalidConfiguration: "The configuration or the credentials of a command are wrong."
        }
    }
}

extension RPCError {
    /// Creates the error for cached data that was valid when it was stored, but cannot be read.
    init(cached error: JSONError) {
        self.init(Failure.cache(.retrieval, error))
    }
}

extension RPCError {
    /// -32602 for a required parameter that is missing.
    package static func missing(_ parameter: String) -> RPCError {
        .invalidParams("\"\(parameter)\" is required", parameter: parameter)
    }
}
