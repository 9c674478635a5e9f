import Foundation
import JSON
import Synchronization
import Testing

/// Without threads, the concurrency runtime would wait for one without end.
@Suite("Without threads", .throttled, .timeLimit(.minutes(10)))
struct ThreadShortageTests {
    private static let lastUser = Atomic(200_000 + Int(getpid()) % 10_000 * 1_000)

    /// Runs a program as a user who may have `limit` processes and threads.
    private func run(
        _ program: String,
        _ arguments: [String],
        limit: Int
    ) async throws -> CommandLineClient.Outcome {
        // The limit does not apply to root. Each process has a user of its own, because the processes of a
        // user count together.
        let id = Self.lastUser.wrappingAdd(1, ordering: .relaxed).newValue
        let user = getuid() == 0 ? "setpriv --reuid=\(id) --clear-groups " : ""
        let child = try ChildProcess(
            "/bin/bash",
            ["-c", "ulimit -u \(limit) && exec \(user)\"$0\" \"$@\"", program] + arguments,
            environment: ["HOME": "/nonexistent", "PATH": "/usr/bin:/bin"]
        )
        child.endInput()
        let output = await child.remainingOutput()
        let code = await child.exitCode()
        return .init(output: output, errors: child.standardError(), code: code)
    }

    @Test(
        "a command says so and ends",
        arguments: [
            "--version", "salons", "serve", "book a 2030-01-01 --phone 123456", "__complete bash",
        ]
    )
    func command(line: String) async throws {
        let words = line.split(separator: " ").map(String.init)
        let outcome = try await run(Binaries.novablend, words, limit: 1)
        #expect(outcome.code == 71 && outcome.output.isEmpty, "\(outcome)")
        #expect(outcome.errors.contains("could not start a thread"), "\(outcome)")
        #expect(outcome.errors.contains("nothing was sent"), "\(outcome)")
    }

    @Test("with --json a command writes an error object")
    func json() async throws {
        let outcome = try await run(Binaries.novablend, ["salons", "--json"], limit: 1)
        #expect(outcome.code == 71)
        let message = try outcome.error().required("message").string()
        #expect(message.contains("could not start a thread"), "\(outcome)")
    }

    @Test(
        "the backend says so and ends",
        arguments: [["serve", "--database", ":memory:"], ["health"]]
    )
    func backend(words: [String]) async throws {
        let outcome = try await run(Binaries.backend, words, limit: 1)
        #expect(outcome.code == 71 && outcome.output.isEmpty, "\(outcome)")
        #expect(outcome.errors.contains("could not start a thread"), "\(outcome)")
    }

    @Test(
        "if root has few threads for other users, a command works or says why it does not",
        .enabled(if: getuid() == 0, "other users may have more processes"),
        arguments: 2...8
    )
    func few(limit: Int) async throws {
        for address in ["http://127.0.0.1:1", "http://unknown.invalid"] {
            let words = ["salons", "--base-url", address, "--cache-dir", "/nonexistent"]
            let outcome = try await run(Binaries.novablend, words, limit: limit)
            #expect([0, 69, 71].contains(outcome.code), "\(limit): \(outcome)")
            // Only a server that was not reached is no salons.
            #expect(outcome.code != 0 || limit > 4, "\(limit): \(outcome)")
        }
    }
}
