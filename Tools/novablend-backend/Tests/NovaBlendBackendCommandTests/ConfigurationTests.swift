import BackendKit
import CommandLineKit
import Foundation
import SystemTestSupport
import Testing

@testable import NovaBlendBackendCommand

@Suite("The configuration file of novablend-backend", .timeLimit(.minutes(10)))
struct ConfigurationTests {
    private let directory: TemporaryDirectory
    private var file: String { directory.path + "/backend.conf" }
    private var database: String { directory.path + "/db.sqlite" }

    init() throws { directory = try TemporaryDirectory() }

    private func write(_ text: String) throws {
        try text.write(toFile: file, atomically: false, encoding: .utf8)
    }

    private func run(_ words: String..., input: String = "") async throws -> CommandOutput {
        try await CommandOutput(words + ["--config", file], input: input)
    }

    private func invocation(_ words: [String]) throws -> Invocation {
        guard case .run(let invocation) = try CommandLineParser(BackendProgram.program).parse(words)
        else { throw CommandError(.failure, "\(words) runs nothing") }
        return invocation
    }

    private let salons = "name,location,open_time,close_time\nA,B,9:00,10:00\n"

    @Test("names the database for all commands, and they ignore the other options of serve")
    func sharedDatabase() async throws {
        try write("database = \(database)\nport = 80\nhost = ::1\n")
        let imported = try await run("salons", "import", "-", input: salons)
        #expect(imported.code == 0, "\(imported.errors)")
        #expect(try await run("salons", "export").output.contains(#""name":"A""#))
        #expect(try await run("migrate").output == "the tables are up to date\n")
        let copy = directory.path + "/copy.sqlite"
        #expect(try await run("backup", copy).code == 0)
        let exported = try await run("salons", "export", "--database", copy)
        #expect(exported.output.contains(#""name":"A""#))
    }

    @Test("is overridden by the command line")
    func precedence() async throws {
        try write("database = \(database)\nport = 80\nexit-with-input = true")
        let words = ["serve", "--config", file, "--port", "81"]
        let merged = try ConfigurationOption.withFile(invocation(words))
        #expect(merged[ServeCommand.port] == 81)
        #expect(merged[DatabaseOption.option]?.text == database)
        #expect(merged.has(ServeCommand.exitWithInput))
        let other = directory.path + "/none.sqlite"
        let outcome = try await run("salons", "export", "--database", other)
        #expect(outcome.code == 66)
        #expect(outcome.errors.contains("the database \(other) does not exist"))
    }

    @Test("is read from its default path only if no database is named, and may be missing there")
    func defaultPath() throws {
        func port(_ words: String...) throws -> UInt16? {
            try ConfigurationOption.withFile(invocation(words), defaultPath: file)[
                ServeCommand.port
            ]
        }
        #expect(try port("serve") == nil)
        try write("port = 80")
        #expect(try port("serve") == 80)
        #expect(try port("--port", "81") == 81)
        #expect(try port("serve", "--database", ":memory:") == nil)
        let other = directory.path + "/other.conf"
        try "port = 82".write(toFile: other, atomically: false, encoding: .utf8)
        #expect(try port("serve", "--config", other) == 82)
        #expect(try port("serve", "--config", other, "--database", ":memory:") == 82)
    }

    @Test(
        "that is wrong is rejected with the line",
        arguments: [
            ("prot = 80", "unknown key prot; did you mean port?"),
            ("config = f", "unknown key config"), ("dry-run = true", "unknown key dry-run"),
            ("port = 65536", "port must be a whole number from 0 to 65535"),
            ("exit-with-input = yes", "exit-with-input must be true or false"),
            ("[profile a]", "the file cannot have sections"),
            (
                "database = postgresql://ada:secret@host/salons",
                "database is invalid: it must not contain a password"
            ),
            (
                "database = postgresql://host/salons?password=secret",
                "database is invalid: it must not contain a password"
            ),
            (
                "database = postgresql://host/salons?ssl%70assword=secret&sslmode=require",
                "database is invalid: it must not contain sslpassword"
            ),
        ]
    )
    func wrong(line: String, message: String) async throws {
        try write("# comment\n\(line)\n")
        for command in [["serve"], ["salons", "export"]] {
            let outcome = try await CommandOutput(command + ["--config", file])
            #expect(outcome.code == 78 && !outcome.errors.contains("secret"))
            let start = "novablend-backend: \(file):2: \(message)"
            #expect(outcome.errors.hasPrefix(start), "\(outcome.errors)")
        }
    }

    @Test("must exist if it is named")
    func missing() async throws {
        let outcome = try await run("migrate")
        #expect(outcome.code == 78)
        #expect(outcome.errors.hasPrefix("novablend-backend: \(file): No such file or directory\n"))
    }
}
