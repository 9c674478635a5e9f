import Glibc

/// The standard streams as a command uses them: results to one, all else to the other.
struct Terminal: Sendable {
    /// How many columns standard output has; nil where it is no terminal.
    let width: Int?
    /// Whether somebody sees standard error at once.
    let showsErrors: Bool
    /// Whether somebody can be asked.
    let canAsk: Bool

    init() {
        width = isatty(STDOUT_FILENO) == 1 ? Self.columns(of: STDOUT_FILENO) : nil
        showsErrors = isatty(STDERR_FILENO) == 1
        canAsk = showsErrors && isatty(STDIN_FILENO) == 1
    }

    /// Writes a result; throws `notRead` when nobody can take it.
    func print(_ lines: [String]) throws(CommandFailure) {
        try write(Array(lines.map { $0 + "\n" }.joined().utf8))
    }

    /// Writes the bytes of a result.
    func write(_ bytes: [UInt8]) throws(CommandFailure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR { continue }
            // Whoever read has seen enough.
            if count < 0, errno == EPIPE { return }
            guard count >= 0 else {
                throw CommandFailure(.notRead, "output: \(String(cString: strerror(errno)))")
            }
            rest.removeFirst(count)
        }
    }

    /// Says something beside the result.
    func note(_ line: String) { Self.say(SafeText.line(line)) }

    /// Says why nothing was done.
    func complain(_ failure: CommandFailure) {
        let lines = failure.lines.map(SafeText.line)
        Self.say((["novablend: \(lines[0])"] + lines.dropFirst()).joined(separator: "\n"))
    }

    /// Asks for a yes on the terminal; anything else is a no.
    func confirms(_ question: String) -> Bool {
        Self.say(SafeText.line(question) + " [y/N] ", end: "")
        guard let answer = readLine(strippingNewline: true)?.lowercased() else {
            Self.say("")
            return false
        }
        return answer == "y" || answer == "yes"
    }

    static func say(_ text: String, end: String = "\n") {
        let bytes = Array((text + end).utf8)
        _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
    }

    private static func columns(of descriptor: Int32) -> Int {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }
}
