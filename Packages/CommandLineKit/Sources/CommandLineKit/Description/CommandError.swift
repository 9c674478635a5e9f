/// A failure of a command, described for its user.
public struct CommandError: Error, Sendable {
    /// The exit code of the process.
    public var exitCode: ExitCode
    /// What happened, without a capital letter or a period.
    public var message: String
    /// What the command changed, such as `nothing was changed`.
    public var note: String?
    /// What the user can try next: commands or hints.
    public var suggestions: [String]
    /// The error that caused this one; nil for none. It is not shown.
    public var underlyingError: (any Error)?

    /// Creates an error.
    public init(
        _ exitCode: ExitCode,
        _ message: String,
        note: String? = nil,
        suggestions: [String] = [],
        underlyingError: (any Error)? = nil
    ) {
        self.exitCode = exitCode
        self.message = message
        self.note = note
        self.suggestions = suggestions
        self.underlyingError = underlyingError
    }

    /// Creates the error for a wrong use of a command. It suggests the help of the command.
    public static func usage(_ message: String, of invocation: Invocation) -> CommandError {
        usage(message, of: invocation.command.name, in: invocation.program)
    }

    static func usage(
        _ message: String,
        of topic: String? = nil,
        in program: Program
    ) -> CommandError {
        let name = topic.map { "\(program.name) \($0)" } ?? program.name
        return CommandError(.usage, message, suggestions: ["\(name) --help"])
    }

    /// The lines that the user sees.
    public var lines: [String] {
        var lines = [message]
        if let note { lines.append("  note: \(note)") }
        for (number, suggestion) in suggestions.enumerated() {
            lines.append((number == 0 ? "  try:  " : "        ") + suggestion)
        }
        return lines
    }
}
