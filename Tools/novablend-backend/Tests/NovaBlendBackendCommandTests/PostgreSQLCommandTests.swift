import BackendKit
import Foundation
import PostgreSQLStorage
import SystemSupport
import SystemTestSupport
import Testing

@Suite("Commands with a PostgreSQL database", .timeLimit(.minutes(10)))
struct PostgreSQLCommandTests {
    /// The directory in which `Tools/Scripts/with-postgres.sh` has created a server; nil if the
    /// tests run without that script.
    private static let directory = ProcessInfo.processInfo.environment["NOVABLEND_POSTGRES"]

    /// The URL of a new database.
    private func newDatabase() throws -> String {
        let directory = try #require(Self.directory)
        let name = "command_\(UInt32.random(in: 0...UInt32.max))"
        let host = "\(directory)/main"
        let words = ["\(directory)/bin/createdb", "--host", host, "--username=novablend", name]
        var status: Int32 = 0
        waitpid(try ProcessSpawner(words).spawn(), &status, 0)
        try #require(status == 0)
        return "postgresql:///\(name)?host=\(host)&user=novablend"
    }

    @Test(
        "import, export, and migrate, and a dry run changes nothing",
        .enabled(if: directory != nil)
    )
    func salons() async throws {
        let url = try newDatabase()
        let csv = "name,location,open_time,close_time\nA,B,9:00,10:00\n"
        func run(_ words: String..., input: String = "") async throws -> CommandOutput {
            try await CommandOutput(words + ["--database", url], input: input)
        }
        let preview = try await run("salons", "import", "-", "--dry-run", input: csv)
        #expect(preview.code == 0 && preview.output.contains("1 created"), "\(preview)")
        let pending = try await run("migrate", "--dry-run")
        #expect(pending.code == 0 && pending.output.hasPrefix("1  Create the tables"))
        #expect(try await run("salons", "import", "-", input: csv).code == 0)
        #expect(try await run("migrate").output == "the tables are up to date\n")
        let exported = try await run("salons", "export")
        #expect(exported.code == 0 && exported.output.contains(#""name":"A""#), "\(exported)")
        let again = try await run("salons", "import", "-", "--dry-run", input: exported.output)
        #expect(again.output.contains("0 created, 0 changed, 1 unchanged"), "\(again)")
        let backup = try await run("backup", "/tmp/never")
        #expect(backup.code == 64 && backup.errors.contains("pg_dump"))
        // Salons were imported, so a server does not add its samples.
        try Backend(database: url).stop()
        #expect(try await run("salons", "export").output == exported.output)
    }

    @Test(
        "Tokens are created, listed, and revoked, and serve requires them for other machines",
        .enabled(if: directory != nil)
    )
    func tokens() async throws {
        let url = try newDatabase()
        func run(_ words: String...) async throws -> CommandOutput {
            try await CommandOutput(words + ["--database", url])
        }
        let exposed = ["--host", "0.0.0.0", "--port", "0", "--database", url]
        #expect(try await CommandOutput(exposed).errors.contains("tokens create"))
        let created = try await run(
            "tokens",
            "create",
            "--role",
            "customer",
            "--phone",
            "+49 30 12345",
            "--name",
            "Ada's"
        )
        let id = try #require(created.output.firstMatch(of: /nvb_([0-9a-f]{16})_/)).output.1
        let listed = try await run("tokens", "list")
        #expect(listed.output.contains("\(id)  customer  valid  493012345  Ada's "), "\(listed)")
        let outcome = try await CommandOutput(exposed)
        #expect(outcome.code == 1 && !outcome.errors.contains("tokens create"), "\(outcome)")
        #expect(try await run("tokens", "revoke", String(id)).code == 0)
        #expect(try await run("tokens", "revoke", "0000000000000000").code == 66)
        #expect(try await run("tokens", "list").output.contains("  revoked  "))
    }

    @Test("A server that cannot be reached is an error that names it, without the user")
    func unreachable() async throws {
        let url = "postgresql://ada@/salons?host=/nonexistent"
        let outcome = try await CommandOutput(["migrate", "--database", url])
        #expect(outcome.code == 69)
        #expect(outcome.errors.contains("the database postgresql:///salons cannot be used"))
        #expect(!outcome.errors.contains("ada@"))
    }

    /// URLs with a password that contains `secret`, and URLs that are malformed.
    private static let invalidURLs = [
        "postgresql://ada:secret@host/salons", "postgres://host/salons?password=secret",
        "postgresql://host/salons?color=red", "postgresql://[::1/salons",
        "postgresql://ada:secret@[::1/salons", "postgresql://ada:secret%zz@host/salons",
        "postgresql://ada:%00secret@host/salons", "postgresql://ada:secret@[::1]x/salons",
        "postgresql://ada:secret@host/salons?password", "postgres://host/salons?secret",
        "postgres://host/salons?password=a&secret", "postgres://host/salons?password=a=secret",
        "postgresql://ada:secret@host:80x/salons", "postgresql://ada:12/secret@host/salons",
        "postgresql://ada:secret/3@host/salons", "postgresql://ada:secret?x@host/salons",
        "postgresql://ada:secret#3@host/salons", "postgresql://ada:a@secret:5@host/salons",
        // These are neither URLs of PostgreSQL nor usual paths.
        "Postgresql://ada:secret@host/salons", "postgresq://ada:secret@host/salons",
        "mysql://ada:secret@host/salons", "host=host password=secret dbname=salons",
    ]

    @Test(
        "A URL with a password or without sense is rejected, and the password is not shown",
        arguments: invalidURLs,
        [["salons", "export"], ["migrate"], ["serve"]]
    )
    func invalid(url: String, command: [String]) async throws {
        let outcome = try await CommandOutput(command + ["--database", url])
        #expect(outcome.code == 64)
        #expect(outcome.errors.contains("--database is invalid: "), "\(outcome.errors)")
        #expect(!(outcome.errors + outcome.output).contains("secret"), "\(outcome.errors)")
    }

    @Test("The configuration file rejects the same URLs", arguments: invalidURLs)
    func invalidInFile(url: String) async throws {
        let directory = try TemporaryDirectory()
        let file = directory.path + "/backend.conf"
        try "database = \(url)\n".write(toFile: file, atomically: false, encoding: .utf8)
        let outcome = try await CommandOutput(["migrate", "--config", file])
        #expect(outcome.code == 78)
        #expect(outcome.errors.contains("database is invalid: "), "\(outcome.errors)")
        #expect(!(outcome.errors + outcome.output).contains("secret"), "\(outcome.errors)")
    }

    @Test(
        "A URL that libpq understands is accepted",
        arguments: [
            "postgresql:///salons", "postgres://host", "postgresql://",
            "postgresql://ada@[::1]:5432,other:5433/salons?sslmode=require",
            "postgresql://host/sal%40ons?user=ada@host&connect_timeout=1",
        ]
    )
    func valid(url: String) { #expect(PostgreSQLBookingStore.problem(ofURL: url) == nil) }
}
