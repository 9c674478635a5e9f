import Foundation
import SystemTestSupport
import Testing

@testable import NovaBlendAccounts

@Suite("A token command", .timeLimit(.minutes(10)))
struct TokenCommandTests {
    private func run(
        _ script: String,
        timeout: Duration = .seconds(60)
    ) async -> Result<String, CredentialError> {
        let command = TokenCommand(words: ["/bin/sh", "-c", script], timeout: timeout)
        do throws(CredentialError) {
            return .success(try await command.run().secret)
        } catch {
            return .failure(error)
        }
    }

    private func reason(_ script: String, timeout: Duration = .seconds(60)) async -> String {
        guard case .failure(let error) = await run(script, timeout: timeout) else { return "none" }
        return error.description
    }

    @Test("returns the first line that it prints")
    func output() async throws {
        #expect(try await run("echo ' a '; echo b").get() == "a")
        #expect(try await run("printf a").get() == "a")
        #expect(try await run("echo b >&2; echo a").get() == "a")
    }

    @Test("has no input and no terminal")
    func input() async throws {
        #expect(try await run("read line || echo none").get() == "none")
        #expect(try await run("(: < /dev/tty) 2>/dev/null || echo none").get() == "none")
    }

    @Test("is looked up in PATH and gets its arguments unchanged")
    func words() async throws {
        let command = TokenCommand(words: ["printf", "%s", "$HOME"])
        await #expect(throws: CredentialError.self) { try await command.run() }
        #expect(try await TokenCommand(words: ["printf", "%s", "a+b"]).run().secret == "a+b")
    }

    @Test("that fails is an error with its status, and its output is not used")
    func status() async {
        #expect(await reason("echo a; exit 7") == "token-command: it exited with status 7")
        #expect(await reason("echo a; kill -9 $$") == "token-command: it exited with status 137")
        let missing = TokenCommand(words: ["/nonexistent/program"])
        await #expect(throws: CredentialError.self) { try await missing.run() }
        await #expect(throws: CredentialError.self) { try await TokenCommand(words: []).run() }
    }

    @Test("that takes too long is killed together with the processes that it started")
    func tooSlow() async throws {
        let directory = try TemporaryDirectory()
        let file = directory.path + "/id"
        let script = "sleep 600 & echo $! > '\(file)'; echo a; wait"
        // The timeout is long enough for the shell to write the file.
        #expect(
            await reason(script, timeout: .seconds(2)) == "token-command: it took longer than 2 s"
        )
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let id = try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)))
        let end = Date(timeIntervalSinceNow: 60)
        while isRunning(id), Date() < end { await Task.yield() }
        #expect(!isRunning(id))
    }

    /// Whether the process exists and is not a zombie.
    private func isRunning(_ id: pid_t) -> Bool {
        let stat = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8)
        return stat.map { !$0.contains(") Z ") } ?? false
    }

    @Test("is done when it exits, even if a process that it started still has its output open")
    func leftBehind() async throws {
        let directory = try TemporaryDirectory()
        let fifo = directory.path + "/fifo"
        #expect(mkfifo(fifo, 0o600) == 0)
        #expect(try await run("(read x < '\(fifo)') & echo a").get() == "a")
        try Data("x\n".utf8).write(to: URL(filePath: fifo))
    }

    @Test("that prints without end is killed")
    func tooLong() async {
        #expect(await reason("yes") == "token-command: its output is too long")
    }
}
