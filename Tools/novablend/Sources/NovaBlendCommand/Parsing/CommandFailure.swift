import JSONRPC

/// Why a command was not done: what happened, what was kept, and what to try.
struct CommandFailure: Error, Sendable {
    var exit: ExitCode
    var happened: String
    var kept: String?
    /// Commands or hints, one a line.
    var tries: [String] = []
    /// The error of the method behind, where it was that.
    var error: RPCError?

    init(_ exit: ExitCode, _ happened: String, kept: String? = nil, tries: [String] = []) {
        self.exit = exit
        self.happened = happened
        self.kept = kept
        self.tries = tries
    }

    static func usage(_ text: String, of command: Command? = nil) -> CommandFailure {
        let name = command.map { "novablend \($0.name) --help" } ?? "novablend --help"
        return CommandFailure(.usage, text, tries: [name])
    }

    /// For a script: the error of the method, or what stands for one.
    var encodable: RPCError {
        if let error { return error }
        return exit == .usage
            ? .invalidParams(happened) : RPCError(code: -32_603, message: happened)
    }

    /// For a person, a line each.
    var lines: [String] {
        var lines = [happened]
        if let kept { lines.append("  kept: \(kept)") }
        for (number, line) in tries.enumerated() {
            lines.append((number == 0 ? "  try:  " : "        ") + line)
        }
        return lines
    }
}
