import Foundation
import JSON
import SystemTestSupport
import Testing

/// Runs commands of `novablend` with a home directory of its own, like a user or a script.
final class CommandLineClient: Sendable {
    struct Outcome: Sendable {
        let output: String
        let errors: String
        let code: Int32

        var lines: [String] { output.split(separator: "\n").map(String.init) }

        /// The line with this number, counted from 0; empty if there are fewer lines.
        func line(_ number: Int) -> String { lines.count > number ? lines[number] : "" }

        func object() throws -> JSONObject {
            try JSONDocument(parsing: Array(output.utf8)).root.object()
        }

        /// The error object that `--json` prints on standard error.
        func error() throws -> JSONObject {
            try JSONDocument(parsing: Array(errors.utf8)).root.object()
        }
    }

    let home: TemporaryDirectory
    private let server: [String]
    private let backend: BackendProcess?

    /// Appends `server`, the options that name a server, to every command.
    init(_ server: [String] = []) throws {
        home = try TemporaryDirectory()
        self.server = server
        backend = nil
    }

    /// Appends the URL of `backend` to every command, and keeps the backend running.
    init(_ backend: BackendProcess) throws {
        home = try TemporaryDirectory()
        server = ["--base-url", backend.url]
        self.backend = backend
    }

    var environment: [String: String] {
        ["HOME": home.path, "PATH": Binaries.directory + ":/usr/bin:/bin", "LANG": "C.UTF-8"]
    }

    /// The arguments of a command: `words`, and the options that name the server.
    func arguments(_ words: [String]) -> [String] { words + server }

    /// Starts a command, and does not wait for it.
    func start(_ words: [String], environment additions: [String: String] = [:]) throws
        -> ChildProcess
    {
        let environment = environment.merging(additions) { $1 }
        return try ChildProcess(Binaries.novablend, arguments(words), environment: environment)
    }

    /// Runs a command, and waits for its end.
    func run(_ words: String..., environment: [String: String] = [:]) async throws -> Outcome {
        try await run(words, environment: environment)
    }

    func run(_ words: [String], environment: [String: String] = [:]) async throws -> Outcome {
        let child = try start(words, environment: environment)
        child.endInput()
        let output = await child.remainingOutput()
        let code = await child.exitCode()
        return Outcome(output: output, errors: child.standardError(), code: code)
    }

    /// Books an appointment at the sample salon tomorrow, at `time` in UTC.
    func book(_ time: String = "12:00", _ options: [String] = []) async throws -> Outcome {
        let words = ["book", Sample.salon, "tomorrow \(time)", "--phone", "+49 30 1234567"]
        return try await run(words + options, environment: ["TZ": "UTC"])
    }
}
