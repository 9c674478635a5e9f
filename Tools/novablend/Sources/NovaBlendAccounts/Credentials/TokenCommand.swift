import SystemSupport

/// A program that prints a token in its first line.
///
/// It runs without a shell and in a new session, so it cannot ask on the terminal. If it takes too
/// long, it is killed together with the processes that it started. Its standard error is discarded,
/// since it may contain secrets.
struct TokenCommand: Sendable {
    /// The program, which is looked up in `PATH`, and its arguments.
    let words: [String]
    /// The time after which the program is killed.
    var timeout = Duration.seconds(10)

    func run() async throws(CredentialError) -> BearerToken {
        let result = await withCheckedContinuation { continuation in
            let isStarted = SystemThread.start { continuation.resume(returning: self.attempt()) }
            if !isStarted {
                continuation.resume(returning: .failure(Self.failure("cannot start a thread")))
            }
        }
        return try result.get()
    }

    private func attempt() -> Result<BearerToken, CredentialError> {
        do throws(CredentialError) {
            return .success(try runBlocking())
        } catch {
            return .failure(error)
        }
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
        do throws(SystemError) {
            return try ChildProcess(words)
        } catch {
            throw Self.failure("it could not be started: \(error)")
        }
    }

    private static func failure(_ reason: String) -> CredentialError {
        CredentialError("token-command: \(reason)", advice: "run the command yourself to see why")
    }
}
