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

/// The exit code of a process. This library uses the codes below; a program adds its own in an
/// extension. The codes from 64 up are those of sysexits.h.
public struct ExitCode: RawRepresentable, Sendable, Hashable {
    /// The number, from 0 to 255.
    public let rawValue: Int32

    /// Creates an exit code from 0 to 255.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// The command succeeded.
    public static let success = ExitCode(rawValue: 0)
    /// The command failed for a reason that has no code of its own.
    public static let failure = ExitCode(rawValue: 1)
    /// The command line is wrong (EX_USAGE).
    public static let usage = ExitCode(rawValue: 64)
    /// The system could not start a thread (EX_OSERR).
    public static let systemError = ExitCode(rawValue: 71)
    /// Writing to standard output failed (EX_IOERR).
    public static let inputOutput = ExitCode(rawValue: 74)
    /// The configuration file is wrong (EX_CONFIG).
    public static let configuration = ExitCode(rawValue: 78)
}
