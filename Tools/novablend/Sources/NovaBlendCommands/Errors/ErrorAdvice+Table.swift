import CommandLineKit
import JSONRPC
import NovaBlendMethods

/// The explanations of the errors.
extension ErrorAdvice {
    private static let unchanged = "nothing was changed"
    private static let doctor = "novablend doctor"
    private static let tryLater = "the same command a little later"

    /// The errors of JSON-RPC, by code.
    static let protocolTable: [Int: ErrorAdvice] = [
        RPCError.invalidParams("").code: ErrorAdvice(
            .usage,
            "a value is invalid",
            note: unchanged,
            suggestions: ["novablend help COMMAND, which describes each value"]
        ),
        RPCError.methodNotFound("").code: ErrorAdvice(
            .internalError,
            "this version has no such method",
            note: unchanged,
            suggestions: ["novablend --version"]
        ),
        RPCError.requestCancelled.code: ErrorAdvice(
            .interrupted,
            "interrupted",
            note: "a booking that was sent is in the journal",
            suggestions: ["novablend resolve"]
        ),
    ]

    /// The errors of the program.
    static let table: [ProgramError: ErrorAdvice] = [
        .connectivity: ErrorAdvice(.unavailable, suggestions: [tryLater, doctor]),
        .unavailable: ErrorAdvice(.unavailable, suggestions: [tryLater, doctor]),
        .notAuthenticated: ErrorAdvice(
            .notAllowed,
            note: unchanged,
            suggestions: ["a valid token: --token-file FILE or --token-command COMMAND", doctor]
        ),
        .notAllowed: ErrorAdvice(
            .notAllowed,
            note: unchanged,
            suggestions: [
                "credentials with more rights, such as those of a different --profile NAME", doctor,
            ]
        ),
        .invalidData: ErrorAdvice(.invalidData, suggestions: [doctor]),
        .serverRejected: ErrorAdvice(
            .serverRejected,
            note: unchanged,
            suggestions: ["what the server suggests, or ask its operator"]
        ),
        .notConfigured: ErrorAdvice(
            .configuration,
            "no server is configured for this",
            note: unchanged,
            suggestions: [
                "--base-url URL, or a line base-url = URL in the configuration file", "--sandbox",
            ]
        ),
        .invalidConfiguration: ErrorAdvice(.configuration, note: unchanged, suggestions: [doctor]),
        .zoneUnknown: ErrorAdvice(
            .configuration,
            note: unchanged,
            suggestions: ["apt install tzdata, or set TZDIR to its directory", doctor]
        ),
        .cacheRetrieval: ErrorAdvice(
            .inputOutput,
            "stored data cannot be read",
            suggestions: ["novablend cache validate, which deletes unreadable data", doctor]
        ),
        .cacheDeletion: ErrorAdvice(
            .inputOutput,
            "stored data cannot be deleted",
            suggestions: [doctor]
        ),
        .cacheInsertion: ErrorAdvice(
            .notWritten,
            note: "the server's response was not stored",
            suggestions: [doctor]
        ),
        .fileNotWritten: ErrorAdvice(
            .notWritten,
            note: unchanged,
            suggestions: ["--ical with a different file"]
        ),
        .journalUnavailable: ErrorAdvice(
            .notWritten,
            note: "nothing was sent",
            suggestions: [doctor]
        ),
        .inputOutput: ErrorAdvice(.inputOutput, suggestions: [doctor]),
        .bookingRequiresConnection: ErrorAdvice(
            .unavailable,
            note: "nothing is queued: it will not be done later",
            suggestions: ["the same command when there is a connection", doctor]
        ),
        .slotUnavailable: ErrorAdvice(
            .slotRejected,
            "the slot is taken",
            note: unchanged,
            suggestions: ["novablend slots SALON, which shows free slots"]
        ),
        .outsideOpeningHours: ErrorAdvice(
            .slotRejected,
            note: unchanged,
            suggestions: ["novablend slots SALON --day DAY"]
        ),
        .notBookable: ErrorAdvice(
            .slotRejected,
            note: unchanged,
            suggestions: ["novablend slots SALON --explain TIME, which names the rule"]
        ),
        .salonNotFound: ErrorAdvice(.notFound, note: unchanged, suggestions: ["novablend salons"]),
        .appointmentNotFound: ErrorAdvice(
            .notFound,
            "no such appointment",
            note: unchanged,
            suggestions: ["novablend appointments"]
        ),
        .bookingInDoubt: ErrorAdvice(
            .inDoubt,
            "the outcome is unknown",
            note: "the journal records it under its key; it is not sent again automatically",
            suggestions: [
                "novablend resolve",
                "the same command with --key KEY, which takes effect at most once",
            ]
        ),
        .idempotencyConflict: ErrorAdvice(
            .conflict,
            "the key was used for a different request",
            note: unchanged,
            suggestions: ["a different --key, or none"]
        ),
        .versionConflict: ErrorAdvice(
            .conflict,
            note: unchanged,
            suggestions: [
                "novablend appointments or novablend salons --json, which shows the current version"
            ]
        ),
        .salonHasBookings: ErrorAdvice(
            .conflict,
            note: unchanged,
            suggestions: ["novablend appointments --salon SALON --start today, and cancel them"]
        ),
        .salonInDoubt: ErrorAdvice(
            .inDoubt,
            "the outcome is unknown",
            note: "it was sent once and is not sent again automatically",
            suggestions: [
                "novablend salons --json, which shows the salon",
                "the same command, which does nothing if it was done",
            ]
        ),
        .holdNotFound: ErrorAdvice(
            .notFound,
            "no such hold",
            note: unchanged,
            suggestions: ["novablend book, which needs no hold"]
        ),
        .tooManyHolds: ErrorAdvice(
            .unavailable,
            "the server grants no hold now",
            note: unchanged,
            suggestions: ["novablend book, which needs no hold", "the same command later"]
        ),
        .holdsUnsupported: ErrorAdvice(
            .serverRejected,
            "the server cannot hold times",
            note: unchanged,
            suggestions: ["novablend book, which needs no hold"]
        ),
        .holdInDoubt: ErrorAdvice(
            .inDoubt,
            "the outcome is unknown",
            note: "a hold ends by itself within minutes",
            suggestions: ["the same command with the same --key"]
        ),
        .readOnly: ErrorAdvice(
            .notAllowed,
            "read-only is set, and this command changes something",
            note: unchanged,
            suggestions: [
                "the same command without --read-only and without read-only in the configuration file"
            ]
        ),
        .declined: ErrorAdvice(
            .notAllowed,
            note: unchanged,
            suggestions: ["the same command with --yes"]
        ),
    ]
}
