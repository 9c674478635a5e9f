import Glibc
import SystemSupport

/// The streams of a command: results go to standard output, everything else to standard error.
public struct Terminal: Sendable {
    /// The number of columns of the output; nil if it is not a terminal.
    public let width: Int?
    /// The number of columns of the error output; nil if it is not a terminal.
    public let errorWidth: Int?
    /// Whether a person can be asked: the input and the error output are terminals.
    public let isInteractive: Bool

    private let input: Int32
    private let output: Int32
    private let errors: Int32

    /// Uses these descriptors, by default the standard streams of this process.
    public init(
        input: Int32 = 0,
        output: Int32 = 1,
        errors: Int32 = 2
    ) {
        (self.input, self.output, self.errors) = (input, output, errors)
        width = Self.columns(of: output)
        errorWidth = Self.columns(of: errors)
        isInteractive = errorWidth != nil && isatty(input) == 1
    }

    /// Writes lines of a result. Throws `inputOutput`.
    public func print(_ lines: [String]) throws(CommandError) {
        try write(Array(lines.map { $0 + "\n" }.joined().utf8))
    }

    /// Writes bytes of a result. Throws `inputOutput`; a reader that has closed the pipe is not an
    /// error.
    public func write(_ bytes: [UInt8]) throws(CommandError) {
        do {
            try DescriptorOutput.writeAll(bytes.span.bytes, to: output)
        } catch {
            if error.code != EPIPE { throw CommandError(.inputOutput, "output: \(error)") }
        }
    }

    /// Writes a line to the error output, next to the result.
    public func printNote(_ line: String) { printError(SafeText.line(line)) }

    /// Writes an error to the error output, after the name of the program.
    public func show(_ error: CommandError, program: String) {
        let lines = error.lines.map(SafeText.line)
        printError("\(program): " + lines.joined(separator: "\n"))
    }

    /// Asks a yes-or-no question. Any answer except `y` and `yes` means no.
    public func confirm(_ question: String) -> Bool {
        printError(SafeText.line(question) + " [y/N] ", terminator: "")
        guard let answer = readLine() else {
            printError("")
            return false
        }
        return ["y", "yes"].contains(answer.lowercased())
    }

    /// Writes text to the error output as it is, and ignores errors.
    public func printError(_ text: String, terminator: String = "\n") {
        let bytes = Array((text + terminator).utf8)
        _ = Glibc.write(errors, bytes, bytes.count)
    }

    /// A line of the input without its end; nil if the input ends or fails before.
    private func readLine() -> String? {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            let count = read(input, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
        }
    }

    private static func columns(of descriptor: Int32) -> Int? {
        guard isatty(descriptor) == 1 else { return nil }
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }
}
