import CommandLineKit
import JSONRPC
import NovaBlendMethods

/// One row for each error of the methods.
extension ErrorAdvice {
    static let table = protocolErrors + loading + storage + booking + permission

    private static let unchanged = "nothing was changed"
    private static let doctor = "novablend doctor"
    private static let tryLater = "the same command a little later"

    private static let protocolErrors = [
        ErrorAdvice(
            code: RPCError.invalidParams("").code,
            .usage,
            "a value is invalid",
            note: unchanged,
            suggestions: ["novablend help COMMAND, which describes each value"]
        ),
        ErrorAdvice(
            code: RPCError.methodNotFound("").code,
            .internalError,
            "this version has no such method",
            note: unchanged,
            suggestions: ["novablend --version"]
        ),
        ErrorAdvice(
            code: RPCError.requestCancelled.code,
            .interrupted,
            "interrupted",
            note: "a booking that was sent is in the journal",
            suggestions: ["novablend resolve"]
        ),
    ]

    private static let loading = [
        ErrorAdvice(
            .connectivity,
            .unavailable,
            suggestions: [tryLater, doctor]
        ),
        ErrorAdvice(
            .unavailable,
            .unavailable,
            suggestions: [tryLater, doctor]
        ),
        ErrorAdvice(
            .notAuthenticated,
            .notAllowed,
            note: unchanged,
            suggestions: [
                "a valid token: --token-file FILE or --token-command COMMAND", doctor,
            ]
        ),
        ErrorAdvice(
            .notAllowed,
            .notAllowed,
            note: unchanged,
            suggestions: [
                "credentials with more rights, such as those of a different --profile NAME", doctor,
            ]
        ),
        ErrorAdvice(
            .invalidData,
            .invalidData,
            suggestions: [doctor]
        ),
        ErrorAdvice(
            .serverRejected,
            .serverRejected,
            note: unchanged,
            suggestions: ["what the server suggests, or ask its operator"]
        ),
        ErrorAdvice(
            .notConfigured,
            .configuration,
            "no server is configured for this",
            note: unchanged,
            suggestions: [
                "--base-url URL, or a line base-url = URL in the configuration file", "--sandbox",
            ]
        ),
        ErrorAdvice(.invalidConfiguration, .configuration, note: unchanged, suggestions: [doctor]),
        ErrorAdvice(
            .zoneUnknown,
            .configuration,
            note: unchanged,
            suggestions: ["apt install tzdata, or set TZDIR to its directory", doctor]
        ),
    ]

    private static let storage = [
        ErrorAdvice(
            .cacheRetrieval,
            .inputOutput,
            "stored data cannot be read",
            suggestions: ["novablend cache validate, which deletes unreadable data", doctor]
        ),
        ErrorAdvice(
            .cacheDeletion,
            .inputOutput,
            "stored data cannot be deleted",
            suggestions: [doctor]
        ),
        ErrorAdvice(
            .cacheInsertion,
            .notWritten,
            note: "the server's response was not stored",
            suggestions: [doctor]
        ),
        ErrorAdvice(
            .fileNotWritten,
            .notWritten,
            note: unchanged,
            suggestions: ["--ical with a different file"]
        ),
        ErrorAdvice(
            .journalUnavailable,
            .notWritten,
            note: "nothing was sent",
            suggestions: [doctor]
        ),
        ErrorAdvice(.inputOutput, .inputOutput, suggestions: [doctor]),
    ]

    private static let booking = [
        ErrorAdvice(
            .bookingRequiresConnection,
            .unavailable,
            note: "nothing is queued: it will not be done later",
            suggestions: ["the same command when there is a connection", doctor]
        ),
        ErrorAdvice(
            .slotUnavailable,
            .slotRejected,
            "the slot is taken",
            note: unchanged,
            suggestions: ["novablend slots SALON, which shows free slots"]
        ),
        ErrorAdvice(
            .outsideOpeningHours,
            .slotRejected,
            note: unchanged,
            suggestions: ["novablend slots SALON --day DAY"]
        ),
        ErrorAdvice(
            .notBookable,
            .slotRejected,
            note: unchanged,
            suggestions: ["novablend slots SALON --explain TIME, which names the rule"]
        ),
        ErrorAdvice(.salonNotFound, .notFound, note: unchanged, suggestions: ["novablend salons"]),
        ErrorAdvice(
            .appointmentNotFound,
            .notFound,
            "no such appointment",
            note: unchanged,
            suggestions: ["novablend appointments"]
        ),
        ErrorAdvice(
            .bookingInDoubt,
            .inDoubt,
            "the outcome is unknown",
            note: "the journal records it under its key; it is not sent again automatically",
            suggestions: [
                "novablend resolve",
                "the same command with --key KEY, which takes effect at most once",
            ]
        ),
        ErrorAdvice(
            .idempotencyConflict,
            .conflict,
            "the key was used for a different request",
            note: unchanged,
            suggestions: ["a different --key, or none"]
        ),
        ErrorAdvice(
            .versionConflict,
            .conflict,
            note: unchanged,
            suggestions: [
                "novablend appointments or novablend salons --json, which shows the current version"
            ]
        ),
        ErrorAdvice(
            .salonHasBookings,
            .conflict,
            note: unchanged,
            suggestions: ["novablend appointments --salon SALON --start today, and cancel them"]
        ),
        ErrorAdvice(
            .salonInDoubt,
            .inDoubt,
            "the outcome is unknown",
            note: "it was sent once and is not sent again automatically",
            suggestions: [
                "novablend salons --json, which shows the salon",
                "the same command, which does nothing if it was done",
            ]
        ),
        ErrorAdvice(
            .holdNotFound,
            .notFound,
            "no such hold",
            note: unchanged,
            suggestions: ["novablend book, which needs no hold"]
        ),
        ErrorAdvice(
            .tooManyHolds,
            .unavailable,
            "the server grants no hold now",
            note: unchanged,
            suggestions: ["novablend book, which needs no hold", "the same command later"]
        ),
        ErrorAdvice(
            .holdsUnsupported,
            .serverRejected,
            "the server cannot hold times",
            note: unchanged,
            suggestions: ["novablend book, which needs no hold"]
        ),
        ErrorAdvice(
            .holdInDoubt,
            .inDoubt,
            "the outcome is unknown",
            note: "a hold ends by itself within minutes",
            suggestions: ["the same command with the same --key"]
        ),
    ]

    private static let permission = [
        ErrorAdvice(
            .readOnly,
            .notAllowed,
            "read-only is set, and this command changes something",
            note: unchanged,
            suggestions: [
                "the same command without --read-only and without read-only in the configuration file"
            ]
        ),
        ErrorAdvice(
            .declined,
            .notAllowed,
            note: unchanged,
            suggestions: ["the same command with --yes"]
        ),
    ]
}
