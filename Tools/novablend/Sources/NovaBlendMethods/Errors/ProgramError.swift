import Contract
import Domain
package import JSON
public import JSONRPC

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

extension RPCError {
    /// The error for a salon that does not exist.
    public static func salonNotFound(_ message: String) -> RPCError {
        ProgramError.salonNotFound.error(message)
    }

    static let notConfigured = ProgramError.notConfigured.error(
        "No server is configured for this",
        advice: "start with --base-url URL, or with --sandbox to try it"
    )

    /// `key` is the key of a booking or change whose appointment may still appear.
    static func notAuthenticated(_ reason: String, key: String? = nil) -> RPCError {
        ProgramError.notAuthenticated.error(
            "The server rejected the credentials (401): \(reason)",
            advice: "check the configured token"
        ) { $0.member("idempotencyKey", key) }
    }

    static func notAllowed(_ reason: String) -> RPCError {
        ProgramError.notAllowed.error(
            "The server does not allow this with the configured credentials (403): \(reason)"
        )
    }

    init(_ error: FileTarget.Failure) {
        switch error {
        case .rejected(let why): self = .invalidParams("\"file\" \(why)", parameter: "file")
        case .failed(let reason):
            self = ProgramError.fileNotWritten.error("The file could not be written: \(reason)")
        }
    }

    init(_ error: LoadError) {
        switch error {
        case .server(let error): self.init(error)
        case .cache(let error): self.init(error)
        }
    }

    init(_ error: ServerError) {
        switch error {
        case .connectivity(let reason, let seconds):
            self = ProgramError.connectivity.error(
                "The server cannot be reached, and nothing cached can be used instead: \(reason)",
                retryAfterSeconds: seconds
            )
        case .unavailable(let reason, let seconds):
            self = ProgramError.unavailable.error(
                "The server is unavailable, and nothing fresh is cached: \(reason)",
                retryAfterSeconds: seconds
            )
        case .notAuthenticated(let reason): self = .notAuthenticated(reason)
        case .notAllowed(let reason): self = .notAllowed(reason)
        case .invalidData(let reason):
            self = ProgramError.invalidData.error("The server violated the contract: \(reason)")
        case .notConfigured: self = .notConfigured
        case .cancelled: self = .requestCancelled
        }
    }

    init(_ error: CacheError) {
        let kind: ProgramError =
            switch error.operation {
            case .retrieval: .cacheRetrieval
            case .deletion: .cacheDeletion
            case .insertion: .cacheInsertion
            }
        self = kind.error(
            "The \(error.description)",
            advice: "call \(CacheMethods.clear) to delete the cached data"
        )
    }

    /// Creates the error for cached data that was valid when it was stored, but cannot be read.
    init(cached error: JSONError) {
        self.init(CacheError(.retrieval, error))
    }
}

extension RPCError {
    /// -32602 for a required parameter that is missing.
    package static func missing(_ parameter: String) -> RPCError {
        .invalidParams("\"\(parameter)\" is required", parameter: parameter)
    }
}
