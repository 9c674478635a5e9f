import CommandLineKit
import NovaBlendMethods

/// How the program explains an error of a method to a person.
struct ErrorAdvice: Sendable {
    let exitCode: ExitCode
    /// A message that replaces the error's own, if that one is written for programs.
    let message: String?
    /// What the command changed, or that it changed nothing; nil if the error does not show it.
    let note: String?
    /// What to try next. `KEY` is replaced by the idempotency key, and `COMMAND` in `help COMMAND`
    /// by the name of the command.
    let suggestions: [String]

    init(
        _ exitCode: ExitCode,
        _ message: String? = nil,
        note: String? = "nothing was changed",
        try suggestions: String...
    ) {
        self.exitCode = exitCode
        self.message = message
        self.note = note
        self.suggestions = suggestions
    }

    /// The row for an error code.
    static func row(for code: Int) -> ErrorAdvice {
        ProgramError(rawValue: code).flatMap { table[$0] } ?? protocolTable[code]
            ?? .init(code < 0 ? .internalError : .failure, note: nil, try: "novablend doctor")
    }

    /// The row's message with the reason after the first colon of `original`, or `original` if the
    /// row has no message.
    func message(for original: String) -> String {
        guard let message else { return original }
        guard let colon = original.firstRange(of: ": ") else { return message }
        return "\(message): \(original[colon.upperBound...])"
    }
}
