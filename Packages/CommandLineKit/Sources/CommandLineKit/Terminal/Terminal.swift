import Glibc
import SystemSupport

/// The standard streams of a command. Results go to standard output, the rest to standard error.
public struct Terminal: Sendable {
    /// The number of columns of standard output; nil if it is not a terminal.
    public private(set) var width: Int?
    /// The number of lines of standard output; nil if it is not a terminal.
    public private(set) var height: Int?
    /// The number of columns of standard error; nil if it is not a terminal.
    public let errorWidth: Int?
    /// Whether standard output shows colors: it is a terminal, but not a dumb one, and `NO_COLOR`
    /// is absent or empty (no-color.org).
    public let hasColor: Bool
    /// Whether a user can answer questions: standard input and standard error are terminals.
    public let isInteractive: Bool

    /// The descriptor of standard input.
    public let input: Int32

    /// Whether ``write(_:)`` throws if the reader has closed the pipe. By default it does not,
    /// because the reader does not want the rest.
    public var reportsClosedPipe = false

    private let output: Int32
    private let errors: Int32

    /// Creates a terminal from descriptors and environment variables, by default those of this
    /// process.
    public init(
        input: Int32 = 0,
        output: Int32 = 1,
        errors: Int32 = 2,
        environment: [String: String]? = nil
    ) {
        (self.input, self.output, self.errors) = (input, output, errors)
        (width, height) = Self.size(of: output)
        errorWidth = Self.size(of: errors).columns
        func variable(_ name: String) -> String {
            if let environment { return environment[name] ?? "" }
            return getenv(name).map { String(cString: $0) } ?? ""
        }
        hasColor = width != nil && variable("NO_COLOR").isEmpty && variable("TERM") != "dumb"
        isInteractive = errorWidth != nil && isatty(input) == 1
    }

    /// Writes lines to standard output. Throws `inputOutput` in the same cases as ``write(_:)``.
    public func print(_ lines: [String]) throws(CommandError) {
        try write(Array(lines.map { $0 + "\n" }.joined().utf8))
    }

    /// Clears the screen, so that what is written next replaces what was written before. If
    /// standard output is not a terminal, writes an empty line instead. Throws `inputOutput` in the
    /// same cases as ``write(_:)``.
    public func clear() throws(CommandError) {
        // ECMA-48: to the first column of the first line, and erase all.
        try write(Array((width == nil ? "\n" : "\u{1B}[H\u{1B}[2J").utf8))
    }

    /// Returns this terminal, but with results on standard error.
    public var withResultsOnErrors: Terminal {
        Terminal(input: input, output: errors, errors: errors)
    }

    /// Writes bytes to standard output. Throws `inputOutput` if this fails, with a `SystemError` as
    /// the underlying error. A closed pipe is a failure only if ``reportsClosedPipe`` is true.
    public func write(_ bytes: [UInt8]) throws(CommandError) {
        do {
            try DescriptorOutput.writeAll(bytes.span.bytes, to: output)
        } catch {
            if error.code == EPIPE, !reportsClosedPipe { return }
            throw CommandError(
                .inputOutput,
                "cannot write the output: \(error)",
                underlyingError: error
            )
        }
    }

    /// Writes a line to standard error.
    public func printNote(_ line: String) { printError(SafeText.line(line)) }

    /// Writes an error to standard error, after the name of the program.
    public func show(_ error: CommandError, program: String) {
        let lines = error.lines.map(SafeText.line)
        printError("\(program): " + lines.joined(separator: "\n"))
    }

    /// Asks a yes-or-no question. Returns true only if the answer is `y` or `yes`.
    ///
    /// - Throws: An error if the task is cancelled before the answer.
    public func confirm(_ question: String) async throws(CancellationError) -> Bool {
        guard let answer = try await answer(to: question + " [y/N]") else { return false }
        return ["y", "yes"].contains(answer.lowercased())
    }

    /// Shows numbered choices and asks for one of the numbers, until the answer is one of them or
    /// empty. Returns the index of the choice; nil if the user does not choose.
    ///
    /// - Throws: An error if the task is cancelled before the answer.
    public func choose(
        _ question: String,
        among choices: [String]
    ) async throws(CancellationError) -> Int? {
        for (index, choice) in choices.enumerated() {
            printError(SafeText.line("\(index + 1)  \(choice)"))
        }
        while let answer = try await answer(to: "\(question) [1-\(choices.count)]"), answer != "" {
            let number = Int(answer)
            if let index = choices.indices.first(where: { $0 + 1 == number }) { return index }
        }
        return nil
    }

    /// Asks for a line, and returns it; nil if the input ends.
    private func answer(to question: String) async throws(CancellationError) -> String? {
        printError(SafeText.line(question) + " ", terminator: "")
        let line = await SystemThread.result { readLine() }
        if let answer = line.flatMap(\.self) { return answer }
        printError("")
        if Task.isCancelled { throw CancellationError() }
        return nil
    }

    /// Writes `text` and `terminator` to standard error without escaping control characters. Ignores
    /// errors.
    public func printError(_ text: String, terminator: String = "\n") {
        let bytes = Array((text + terminator).utf8)
        _ = Glibc.write(errors, bytes, bytes.count)
    }

    /// Reads a line of standard input without its line feed; nil if the input ends before one.
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

    /// Reads the size of standard output again, because a user can change it.
    public mutating func updateSize() { (width, height) = Self.size(of: output) }

    /// The size of a terminal, in columns and lines; nil if the descriptor is not a terminal.
    private static func size(of descriptor: Int32) -> (columns: Int?, lines: Int?) {
        guard isatty(descriptor) == 1 else { return (nil, nil) }
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return (80, 24)
        }
        return (Int(size.ws_col), size.ws_row > 0 ? Int(size.ws_row) : 24)
    }
}
