import SystemSupport

/// A program that prints a token in its first line.
///
/// The program runs without a shell and in a new session, so it cannot ask on the terminal. If it
/// takes too long, it is killed together with the processes that it started. Its standard error is
/// discarded, since it may contain secrets.
struct TokenCommand: Sendable {
    /// The program, which is looked up in `PATH`, and its arguments.
    let words: [String]
    /// The time after which the program is killed.
    var timeout = Duration.seconds(10)

    func run() async throws(CredentialError) -> BearerToken {
        let result = await SystemThread.result {
            Result { () throws(CredentialError) in try runBlocking() }
        }
        guard let result else { throw Self.failure("cannot start a thread") }
        return try result.get()
    }

    private func runBlocking() throws(CredentialError) -> BearerToken {
        let outcome = try startProcess().readOutput(timeout: timeout)
        switch outcome {
        case .timedOut:
            throw Self.failure("it took longer than \(timeout.components.seconds) s")
        case .outputTooLong: throw Self.failure("its output is too long")
        case .exited(let code, let output):
            guard code == 0 else { throw Self.failure("it exited with status \(code)") }
            guard let token = BearerToken(firstLineOf: String(decoding: output, as: UTF8.self))
            else {
                throw .malformed("the output of token-command")
            }
            return token
        }
    }

    private func startProcess() throws(CredentialError) -> ChildProcess {
        if words.isEmpty { throw Self.failure("it is empty") }
        do {
            return try ChildProcess(words)
        } catch {
            throw Self.failure("it could not be started: \(error)")
        }
    }

    private static func failure(_ reason: String) -> CredentialError {
        CredentialError("token-command: \(reason)", advice: "run the command yourself to see why")
    }
}

/// Splits a command line without a shell. White space separates words, except between single or
/// double quotes. No other character is special, not even a backslash.
public enum CommandWords {
    /// The words of `line`; nil if a quote is not closed.
    public static func split(_ line: String) -> [String]? {
        var words: [String] = []
        var word: String?
        var quote: Character?
        for character in line {
            if let open = quote {
                if character == open { quote = nil } else { word?.append(character) }
            } else if "'\"".contains(character) {
                quote = character
                word = word ?? ""
            } else if character.isWhitespace {
                if let finished = word { words.append(finished) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        guard quote == nil else { return nil }
        return words + (word.map { [$0] } ?? [])
    }
}
