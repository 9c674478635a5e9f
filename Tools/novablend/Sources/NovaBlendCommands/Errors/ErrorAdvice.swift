import CommandLineKit
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

    /// The advice for an error code.
    static func row(for code: Int) -> ErrorAdvice {
        ProgramError(rawValue: code).flatMap { table[$0] } ?? protocolTable[code]
            ?? .init(code < 0 ? .internalError : .failure, note: nil, try: "novablend doctor")
    }
}
