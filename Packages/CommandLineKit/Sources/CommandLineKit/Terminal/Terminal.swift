import Glibc
import SystemSupport

/// The standard streams of a command: results go to standard output, everything else to standard
/// error.
public struct Terminal: Sendable {
    /// The number of columns of standard output; nil if it is not a terminal.
    public let width: Int?
    /// Whether standard error is a terminal.
    public let isErrorTerminal: Bool
    /// Whether a person can be asked: standard input and standard error are terminals.
    public let isInteractive: Bool

    /// The streams of this process.
    public init() {
        width = isatty(STDOUT_FILENO) == 1 ? Self.columns(of: STDOUT_FILENO) : nil
        isErrorTerminal = isatty(STDERR_FILENO) == 1
        isInteractive = isErrorTerminal && isatty(STDIN_FILENO) == 1
    }

    /// Writes lines of a result. Throws `inputOutput`.
    public func print(_ lines: [String]) throws(CommandError) {
        try write(Array(lines.map { $0 + "\n" }.joined().utf8))
    }

    /// Writes bytes of a result. Throws `inputOutput`; a reader that has closed the pipe is not an
    /// error.
    public func write(_ bytes: [UInt8]) throws(CommandError) {
        do {
            try DescriptorOutput.writeAll(bytes.span.bytes, to: STDOUT_FILENO)
        } catch {
            if error.code != EPIPE { throw CommandError(.inputOutput, "output: \(error)") }
        }
    }

    /// Writes a line to standard error, next to the result.
    public func printNote(_ line: String) { Self.printError(SafeText.line(line)) }

    /// Writes an error to standard error, after the name of the program.
    public func show(_ error: CommandError, program: String) {
        let lines = error.lines.map(SafeText.line)
        Self.printError((["\(program): \(lines[0])"] + lines.dropFirst()).joined(separator: "\n"))
    }

    /// Asks a yes-or-no question on the terminal. Any answer except `y` and `yes` means no.
    public func confirm(_ question: String) -> Bool {
        Self.printError(SafeText.line(question) + " [y/N] ", terminator: "")
        guard let answer = readLine(strippingNewline: true)?.lowercased() else {
            Self.printError("")
            return false
        }
        return answer == "y" || answer == "yes"
    }

    /// Writes text to standard error as it is, and ignores errors.
    public static func printError(_ text: String, terminator: String = "\n") {
        let bytes = Array((text + terminator).utf8)
        _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
    }

    private static func columns(of descriptor: Int32) -> Int {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }
}
