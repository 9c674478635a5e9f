import Foundation
import JSON
import SystemTestSupport
import Testing

/// The exit code of each kind of error, and the hints that are printed with it.
@Suite("Exit codes", .throttled, .timeLimit(.minutes(10)))
struct ExitCodeTests {
    private func expect(
        _ outcome: CommandLineClient.Outcome,
        _ code: Int32,
        _ parts: String...,
        at location: SourceLocation = #_sourceLocation
    ) {
        #expect(
            outcome.code == code && outcome.output.isEmpty,
            "\(outcome)",
            sourceLocation: location
        )
        #expect(outcome.errors.hasPrefix("novablend: "), "\(outcome)", sourceLocation: location)
        for part in parts + ["  try:  "] {
            #expect(outcome.errors.contains(part), "\(outcome)", sourceLocation: location)
        }
    }

    @Test("wrong usage ends with 64, and an unknown command suggests the nearest name")
    func usage() async throws {
        let cli = try CommandLineClient()
        expect(try await cli.run("salosn"), 64, "did you mean salons?")
        expect(try await cli.run("salons", "--limit", "x"), 64, "novablend salons --help")
        let backend = try CommandLineClient(try await BackendProcess())
        let wrong = ["book", Sample.salon, "noon", "--phone", "+49 30 1234567"]
        expect(
            try await backend.run(wrong),
            64,
            "TIME must be a time after a day",
            "novablend help book"
        )
        let salons = ["salons", "--open-at", "noon"]
        expect(try await backend.run(salons), 64, "--open-at must be", "novablend help salons")
        expect(try await cli.run("salons", "--base-url", "salons.example"), 64, "must be a URL")
    }

    @Test("a time that cannot be booked ends with 3, and a taken slot has alternatives")
    func notBookable() async throws {
        let cli = try CommandLineClient(try await BackendProcess())
        #expect(try await cli.book().code == 0)
        expect(try await cli.book(), 3, "the slot is taken", "one of these times: ", "T12:30:00")
        expect(try await cli.book("03:00"), 3, "note: nothing was changed")
    }

    @Test("a key that a different booking used ends with 4, and an unknown salon with 66")
    func conflict() async throws {
        let cli = try CommandLineClient(try await BackendProcess())
        #expect(try await cli.book("12:00", ["--key", "k"]).code == 0)
        #expect(try await cli.book("12:00", ["--key", "k"]).code == 0)
        expect(try await cli.book("13:00", ["--key", "k"]), 4, "a different --key")
        let unknown = "00000000-0000-4000-8000-000000000000"
        let words = ["book", unknown, "2030-01-01T12:00Z", "--phone", "12345"]
        expect(try await cli.run(words), 66, "novablend salons")
    }

    @Test("a booking without a connection ends with 69, and says that nothing is queued")
    func unavailable() async throws {
        let backend = try await BackendProcess()
        let cli = try CommandLineClient(backend)
        _ = try await cli.run("salons")
        backend.child.kill()
        expect(try await cli.book(), 69, "nothing is queued", "novablend doctor")
    }

    @Test("without a connection, an expired list is deleted, and the error does not deny it")
    func expired() async throws {
        var server: ScriptedServer? = try ScriptedServer { _ in
            .reply("200 OK\r\nAge: 604800", #"{"salons":[]}"#)
        }
        let cli = try CommandLineClient(["--base-url", try #require(server).url])
        _ = try await cli.run("salons")
        server = nil
        #expect(try await cli.run("cache").line(1).hasPrefix("salons        expired"))
        let failed = try await cli.run("services", "Scherenschnitt")
        expect(failed, 69, "novablend doctor")
        #expect(!failed.errors.contains("note:"), "\(failed)")
        #expect(try await cli.run("cache").line(1).hasPrefix("salons        empty"))
    }

    @Test(
        "an invalid list ends with 65, a booking in doubt with 75, and an unknown rejection with 76"
    )
    func server() async throws {
        let garbage = try ScriptedServer { _ in .reply("200 OK", "garbage") }
        let cli = try CommandLineClient(["--base-url", garbage.url])
        expect(try await cli.run("salons"), 65, "novablend doctor")
        let unresponsive = try ScriptedServer { connection in
            connection.request.hasPrefix("POST") ? .hangUp : .reply("404 Not Found", "")
        }
        let unanswered = try CommandLineClient(["--appointments-url", unresponsive.url + "/a"])
        expect(
            try await unanswered.book("12:00", ["--key", "k9"]),
            75,
            "novablend resolve",
            "--key k9"
        )
        let resolved = try await unanswered.run("resolve")
        #expect(resolved.code == 0 && resolved.lines.last?.hasPrefix("inDoubt") == true)
        let rejecting = try ScriptedServer { connection in
            connection.request.hasPrefix("POST")
                ? .reply("422 Unprocessable Content", #"{"error":"no"}"#)
                : .reply("404 Not Found", "")
        }
        let rejected = try CommandLineClient(["--appointments-url", rejecting.url + "/a"])
        expect(try await rejected.book(), 76, "note: nothing was changed")
    }

    @Test("an unwritable journal ends with 73, and an unreadable cache or a full disk with 74")
    func storage() async throws {
        let backend = try await BackendProcess()
        let cli = try CommandLineClient(backend)
        expect(
            try await cli.book("12:00", ["--state-dir", "/proc/novablend"]),
            73,
            "novablend doctor"
        )
        _ = try await cli.run("salons")
        let file =
            try AccountDirectory.path(in: cli.home.path + "/.cache/novablend")
            + "/salons.snapshot"
        try Data("garbage".utf8).write(to: URL(filePath: file))
        backend.child.kill()
        expect(try await cli.run("salons"), 74, "novablend cache validate")
        let full = "\(Binaries.novablend) salons --sandbox > /dev/full"
        let shell = try ChildProcess("/bin/sh", ["-c", full], environment: cli.environment)
        #expect(await shell.exitCode() == 74)
    }

    @Test("a booking with --read-only ends with 77, and a missing server URL with 78")
    func permission() async throws {
        let cli = try CommandLineClient(try await BackendProcess())
        expect(try await cli.book("12:00", ["--read-only"]), 77, "without --read-only")
        expect(try await CommandLineClient().run("salons"), 78, "--base-url URL", "--sandbox")
    }

    @Test("--json prints the JSON-RPC error on standard error")
    func json() async throws {
        let outcome = try await CommandLineClient().run("salons", "--json")
        let error = try outcome.error()
        #expect(outcome.code == 78 && outcome.output.isEmpty)
        #expect(try error.required("code").integer() == 1_301)
        #expect(try error.required("data").object().required("name").string() == "notConfigured")
        let usage = try await CommandLineClient().run("salons", "--json", "--limit", "0")
        #expect(try usage.code == 64 && usage.error().required("code").integer() == -32_602)
        let wrong = try await CommandLineClient().run(
            "salons",
            "--json",
            "--config",
            "/nonexistent"
        )
        #expect(try wrong.code == 78 && wrong.error().required("code").integer() == 1_303)
        let missing = try await CommandLineClient(["--base-url", "http://127.0.0.1:1"])
            .run("salon", "put", "/nonexistent", "--json")
        #expect(try missing.code == 74 && missing.error().required("code").integer() == 1_106)
    }

    @Test("no phone number and no email address appears on standard error")
    func privacy() async throws {
        let cli = try CommandLineClient(try await BackendProcess())
        let secret = ["--email", "ada@example.com"]
        for time in ["12:00", "12:00", "03:00", "99:00"] {
            let outcome = try await cli.book(time, secret)
            #expect(!outcome.errors.contains("1234567") && !outcome.errors.contains("ada@"))
        }
        for wrong in [
            ["--emial", "ada@example.com"], ["--emial=ada@example.com"], ["ada@example.com"],
        ] {
            let outcome = try await cli.book("12:00", wrong)
            #expect(outcome.code == 64 && !outcome.errors.contains("ada@"))
        }
    }

    @Test("an interrupted command ends with 130")
    func interrupted() async throws {
        let server = try HangingServer()
        let child = try CommandLineClient(["--base-url", server.url]).start(["salons"])
        await server.waitForRequest()
        Glibc.kill(child.processID, SIGINT)
        #expect(
            await child.exitCode() == 130
                && child.standardError().contains("novablend: interrupted")
        )
    }
}
