import CommandLineKit
import JSONRPC
import Networking
import NovaBlendMethods

/// How the program explains an error of a method to a person, besides its reason.
struct ErrorAdvice: Sendable {
    let exitCode: ExitCode
    /// What the command changed, or that it changed nothing; nil if the error does not show it.
    let note: String?
    /// What to try next. `KEY` is replaced by the idempotency key, and `COMMAND` in `help COMMAND`
    /// by the name of the command.
    let suggestions: [String]

    init(
        _ exitCode: ExitCode,
        note: String? = "nothing was changed",
        try suggestions: String...
    ) {
        self.exitCode = exitCode
        self.note = note
        self.suggestions = suggestions
    }

    /// The advice for an error. If `reason` says that the library for requests is missing, no later
    /// attempt can succeed without it.
    static func row(for code: Int, because reason: String) -> ErrorAdvice {
        let row = row(for: code)
        guard reason.contains("\(HTTPClientError(.libraryMissing))") else { return row }
        let install = "apt install \(HTTPClientError.libraryPackage)"
        return .init(row.exitCode, note: row.note, try: install, doctor)
    }

    /// The advice for an error code.
    static func row(for code: Int) -> ErrorAdvice {
        ProgramError(rawValue: code).map(ErrorAdvice.init) ?? protocolTable[code]
            ?? .init(code < 0 ? .internalError : .failure, note: nil, try: "novablend doctor")
    }
}

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

    /// The advice for an error of the program.
    init(_ error: ProgramError) {
        self =
            switch error {
            case .connectivity: .init(.unavailable, note: nil, try: Self.tryLater, Self.doctor)
            case .unavailable: .init(.unavailable, note: nil, try: Self.tryLater, Self.doctor)
            case .notAuthenticated:
                .init(
                    .notAllowed,
                    try: "a valid token: --token-file FILE or --token-command COMMAND",
                    Self.doctor
                )
            case .notAllowed:
                .init(
                    .notAllowed,
                    try:
                        "credentials with more rights, such as those of a different --profile NAME",
                    Self.doctor
                )
            case .invalidData: .init(.invalidData, note: nil, try: Self.doctor)
            case .serverRejected:
                .init(
                    .serverRejected,
                    try: "what the server suggests, or ask its operator"
                )
            case .notConfigured:
                .init(
                    .configuration,
                    try: "--base-url URL, or a line base-url = URL in the configuration file",
                    "--sandbox"
                )
            case .invalidConfiguration: .init(.configuration, try: Self.doctor)
            case .zoneUnknown:
                .init(
                    .configuration,
                    try: "apt install tzdata, or set TZDIR to its directory",
                    Self.doctor
                )
            case .cacheRetrieval:
                .init(
                    .inputOutput,
                    note: nil,
                    try: "novablend cache validate, which deletes unreadable data",
                    Self.doctor
                )
            case .cacheDeletion:
                .init(
                    .inputOutput,
                    note: nil,
                    try: Self.doctor
                )
            case .cacheInsertion:
                .init(
                    .notWritten,
                    note: "the server's response was not stored",
                    try: Self.doctor
                )
            case .fileNotWritten: .init(.notWritten, try: "--ical with a different file")
            case .journalUnavailable: .init(.notWritten, note: "nothing was sent", try: Self.doctor)
            case .inputOutput: .init(.inputOutput, note: nil, try: Self.doctor)
            case .bookingRequiresConnection:
                .init(
                    .unavailable,
                    note: "nothing is queued, so the request is not sent later",
                    try: "the same command when there is a connection",
                    Self.doctor
                )
            case .slotUnavailable:
                .init(
                    .slotRejected,
                    try: "novablend slots SALON, which shows free slots"
                )
            case .outsideOpeningHours: .init(.slotRejected, try: "novablend slots SALON --day DAY")
            case .notBookable:
                .init(
                    .slotRejected,
                    try: "novablend slots SALON --explain TIME, which names the rule"
                )
            case .salonNotFound: .init(.notFound, try: "novablend salons")
            case .appointmentNotFound:
                .init(
                    .notFound,
                    try: "novablend appointments"
                )
            case .bookingInDoubt:
                .init(
                    .inDoubt,
                    note:
                        "the journal records it under its key; it is not sent again automatically",
                    try: "novablend resolve",
                    "the same command with --key KEY, which takes effect at most once"
                )
            case .idempotencyConflict:
                .init(
                    .conflict,
                    try: "a different --key, or none"
                )
            case .versionConflict:
                .init(
                    .conflict,
                    // If a response was lost, the change may have been made before a later one.
                    note: nil,
                    try:
                        "novablend appointments or novablend salons --json, which shows the current version"
                )
            case .salonHasBookings:
                .init(
                    .conflict,
                    try: "novablend appointments --salon SALON --start today, and cancel them"
                )
            case .salonInDoubt:
                .init(
                    .inDoubt,
                    note: "it was sent once and is not sent again automatically",
                    try: "novablend salons --json, which shows the salon",
                    "the same command, which does nothing if it was done"
                )
            case .holdNotFound: .init(.notFound, try: "novablend book, which needs no hold")
            case .tooManyHolds:
                .init(
                    .unavailable,
                    try: "novablend book, which needs no hold",
                    "the same command later"
                )
            case .holdsUnsupported:
                .init(
                    .serverRejected,
                    try: "novablend book, which needs no hold"
                )
            case .holdInDoubt:
                .init(
                    .inDoubt,
                    note: "a hold ends by itself within minutes",
                    try: "the same command with the same --key"
                )
            case .tooManyAppointments:
                .init(
                    .slotRejected,
                    try: "novablend appointments, which shows what is booked"
                )
            case .readOnly:
                .init(
                    .notAllowed,
                    try:
                        "the same command without --read-only and without read-only in the configuration file"
                )
            case .declined: .init(.notAllowed, try: "the same command with --yes")
            }
    }
}
