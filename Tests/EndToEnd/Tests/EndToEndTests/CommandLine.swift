import Foundation
import JSON
import Testing

/// A person's terminal or a script: runs commands, with a home and directories of its own.
final class CommandLine: Sendable {
    struct Outcome: Sendable {
        let output: String
        let errors: String
        let code: Int32

        var lines: [String] { output.split(separator: "\n").map(String.init) }

        /// One of them, from 0; empty when there are not so many.
        func line(_ number: Int) -> String { lines.count > number ? lines[number] : "" }

        func object() throws -> JSONObject {
            try JSONDocument(parsing: Array(output.utf8)).root.object()
        }

        /// The error object that `--json` gives.
        func failure() throws -> JSONObject {
            try JSONDocument(parsing: Array(errors.utf8)).root.object()
        }
    }

    let home: TemporaryDirectory
    private let server: [String]
    private let backend: BackendProcess?

    /// Commands that are told about a server by those options.
    init(_ server: [String] = []) throws {
        home = try TemporaryDirectory()
        self.server = server
        backend = nil
    }

    /// Commands with a backend, that is there as long as they are.
    init(_ backend: BackendProcess) throws {
        home = try TemporaryDirectory()
        server = ["--base-url", backend.url]
        self.backend = backend
    }

    var environment: [String: String] {
        ["HOME": home.path, "PATH": Binaries.folder + ":/usr/bin:/bin", "LANG": "C.UTF-8"]
    }

    /// Arguments that name the server, where `words` are for a command that has one.
    func arguments(_ words: [String]) -> [String] { words + server }

    /// Starts a command and leaves it to the caller.
    func start(_ words: [String], environment more: [String: String] = [:]) throws -> Child {
        let environment = environment.merging(more) { $1 }
        return try Child(Binaries.novablend, arguments(words), environment: environment)
    }

    /// Runs a command to its end.
    func run(_ words: String..., environment: [String: String] = [:]) async throws -> Outcome {
        try await run(words, environment: environment)
    }

    func run(_ words: [String], environment: [String: String] = [:]) async throws -> Outcome {
        let child = try start(words, environment: environment)
        child.endInput()
        let output = await child.rest()
        let code = await child.exitCode()
        return Outcome(output: output, errors: child.said(), code: code)
    }

    /// Books at the sample salon, tomorrow.
    func book(_ time: String = "12:00", _ more: [String] = []) async throws -> Outcome {
        let words = ["book", Sample.salon, "tomorrow \(time)", "--phone", "+49 30 1234567"]
        return try await run(words + more, environment: ["TZ": "UTC"])
    }
}
