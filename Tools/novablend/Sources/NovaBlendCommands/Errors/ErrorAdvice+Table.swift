import CommandLineKit
import JSONRPC
import NovaBlendMethods

/// The explanations of the errors.
extension ErrorAdvice {
    private static let doctor = "novablend doctor"
    private static let tryLater = "the same command a little later"

    /// The errors of JSON-RPC, by code.
    static let protocolTable: [Int: ErrorAdvice] = [
        RPCError.invalidParams("").code: .init(
            .usage,
            try: "novablend help COMMAND, which describes each value"
        ),
        RPCError.methodNotFound("").code: .init(
            .internalError,
            try: "novablend --version"
        ),
        RPCError.requestCancelled.code: .init(
            .interrupted,
            note: "a booking that was sent is in the journal",
            try: "novablend resolve"
        ),
    ]

    /// The errors of the program.
    static let table: [ProgramError: ErrorAdvice] = [
        .connectivity: .init(.unavailable, note: nil, try: tryLater, doctor),
        .unavailable: .init(.unavailable, note: nil, try: tryLater, doctor),
        .notAuthenticated: .init(
            .notAllowed,
            try: "a valid token: --token-file FILE or --token-command COMMAND",
            doctor
        ),
        .notAllowed: .init(
            .notAllowed,
            try: "credentials with more rights, such as those of a different --profile NAME",
            doctor
        ),
        .invalidData: .init(.invalidData, note: nil, try: doctor),
        .serverRejected: .init(
            .serverRejected,
            try: "what the server suggests, or ask its operator"
        ),
        .notConfigured: .init(
            .configuration,
            try: "--base-url URL, or a line base-url = URL in the configuration file",
            "--sandbox"
        ),
        .invalidConfiguration: .init(.configuration, try: doctor),
        .zoneUnknown: .init(
            .configuration,
            try: "apt install tzdata, or set TZDIR to its directory",
            doctor
        ),
        .cacheRetrieval: .init(
            .inputOutput,
            note: nil,
            try: "novablend cache validate, which deletes unreadable data",
            doctor
        ),
        .cacheDeletion: .init(
            .inputOutput,
            note: nil,
            try: doctor
        ),
        .cacheInsertion: .init(
            .notWritten,
            note: "the server's response was not stored",
            try: doctor
        ),
        .fileNotWritten: .init(.notWritten, try: "--ical with a different file"),
        .journalUnavailable: .init(.notWritten, note: "nothing was sent", try: doctor),
        .inputOutput: .init(.inputOutput, note: nil, try: doctor),
        .bookingRequiresConnection: .init(
            .unavailable,
            note: "nothing is queued, so the request is not sent later",
            try: "the same command when there is a connection",
            doctor
        ),
        .slotUnavailable: .init(
            .slotRejected,
            try: "novablend slots SALON, which shows free slots"
        ),
        .outsideOpeningHours: .init(.slotRejected, try: "novablend slots SALON --day DAY"),
        .notBookable: .init(
            .slotRejected,
            try: "novablend slots SALON --explain TIME, which names the rule"
        ),
        .salonNotFound: .init(.notFound, try: "novablend salons"),
        .appointmentNotFound: .init(
            .notFound,
            try: "novablend appointments"
        ),
        .bookingInDoubt: .init(
            .inDoubt,
            note: "the journal records it under its key; it is not sent again automatically",
            try: "novablend resolve",
            "the same command with --key KEY, which takes effect at most once"
        ),
        .idempotencyConflict: .init(
            .conflict,
            try: "a different --key, or none"
        ),
        .versionConflict: .init(
            .conflict,
            // If a response was lost, the change may have been made before a later one.
            note: nil,
            try:
                "novablend appointments or novablend salons --json, which shows the current version"
        ),
        .salonHasBookings: .init(
            .conflict,
            try: "novablend appointments --salon SALON --start today, and cancel them"
        ),
        .salonInDoubt: .init(
            .inDoubt,
            note: "it was sent once and is not sent again automatically",
            try: "novablend salons --json, which shows the salon",
            "the same command, which does nothing if it was done"
        ),
        .holdNotFound: .init(.notFound, try: "novablend book, which needs no hold"),
        .tooManyHolds: .init(
            .unavailable,
            try: "novablend book, which needs no hold",
            "the same command later"
        ),
        .holdsUnsupported: .init(
            .serverRejected,
            try: "novablend book, which needs no hold"
        ),
        .holdInDoubt: .init(
            .inDoubt,
            note: "a hold ends by itself within minutes",
            try: "the same command with the same --key"
        ),
        .tooManyAppointments: .init(
            .slotRejected,
            try: "novablend appointments, which shows what is booked"
        ),
        .readOnly: .init(
            .notAllowed,
            try:
                "the same command without --read-only and without read-only in the configuration file"
        ),
        .declined: .init(.notAllowed, try: "the same command with --yes"),
    ]
}
