/// Why a command failed, in words for the person who typed it.
public struct CommandError: Error, Sendable {
    /// What the process exits with.
    public var exitCode: ExitCode
    /// What happened, without a capital letter or a full stop.
    public var message: String
    /// What the command left behind, such as `nothing was changed`.
    public var note: String?
    /// What to try next, one command or hint per line.
    public var suggestions: [String]
    /// What caused it, for the program.
    public var underlyingError: (any Error)?

    /// Makes an error.
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

    /// Wrong usage of a command; suggests its help.
    public static func usage(_ message: String, of invocation: Invocation) -> CommandError {
        usage(message, of: invocation.command, in: invocation.program)
    }

    static func usage(
        _ message: String,
        of command: Command? = nil,
        in program: Program
    ) -> CommandError {
        let name = command.map { "\(program.name) \($0.name)" } ?? program.name
        return CommandError(.usage, message, suggestions: ["\(name) --help"])
    }

    /// The lines that a person sees.
    public var lines: [String] {
        var lines = [message]
        if let note { lines.append("  note: \(note)") }
        for (number, suggestion) in suggestions.enumerated() {
            lines.append((number == 0 ? "  try:  " : "        ") + suggestion)
        }
        return lines
    }
}
