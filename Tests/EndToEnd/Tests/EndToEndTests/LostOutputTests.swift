import Foundation
import JSON
import SystemTestSupport
import Testing

/// A change that was made, but whose output cannot be written. Its id and key must not be lost.
@Suite("Output that cannot be written", .throttled, .timeLimit(.minutes(10)))
struct LostOutputTests {
    private let cli: CommandLineClient

    init() async throws { cli = try CommandLineClient(try await BackendProcess()) }

    /// Runs a command whose standard output goes to `target`, as a shell writes it.
    private func run(_ words: [String], to target: String) async throws -> CommandLineClient.Outcome
    {
        let environment = cli.environment.merging(["TZ": "UTC"]) { $1 }
        let script = #""$@" "# + target
        let command = ["-c", script, "bash", Binaries.novablend] + cli.arguments(words)
        let child = try ChildProcess("/bin/bash", command, environment: environment)
        child.endInput()
        let output = await child.remainingOutput()
        let code = await child.exitCode()
        return .init(output: output, errors: child.standardError(), code: code)
    }

    private func book(_ time: String) -> [String] {
        ["book", Sample.salon, "tomorrow \(time)", "--phone", "+49 30 1234567"]
    }

    /// The ids of the appointments that are booked.
    private func ids() async throws -> [String] {
        let list = try await cli.run("appointments", "--json").object()
        return try list.required("appointments").array().map {
            try $0.object().required("id").string()
        }
    }

    @Test(
        "on a full disk the outcome of every change is on standard error, and the exit code is 74"
    )
    func full() async throws {
        let booked = try await run(book("12:00") + ["--key", "lost-1"], to: "> /dev/full")
        let id = try #require(try await ids().first)
        let salon = cli.home.path + "/salon.json"
        let shown = try await cli.run("salon", "show", Sample.salon, "--json").object()
        let renamed = try shown.required("salon").object().text
            .replacing(#""name":"Scherenschnitt""#, with: #""name":"Renamed""#)
        try renamed.write(toFile: salon, atomically: true, encoding: .utf8)
        let utc = "tomorrow 13:00"
        let moved = try await run(["reschedule", id, utc], to: "> /dev/full")
        let put = try await run(["salon", "put", salon], to: "> /dev/full")
        let cancelled = try await run(["cancel", id, "--yes"], to: "> /dev/full")
        for (outcome, expected) in [
            (booked, ["Booked", id, "lost-1"]), (moved, ["Moved", id, "T13:00"]),
            (put, ["Renamed"]), (cancelled, ["Cancelled", id]),
        ] {
            #expect(outcome.code == 74 && outcome.output.isEmpty, "\(outcome)")
            #expect(outcome.errors.contains("No space left on device\n  note: the change was made"))
            for text in expected { #expect(outcome.errors.contains(text), "\(outcome)") }
        }
    }

    @Test("with --json, the error on standard error contains the result")
    func json() async throws {
        let booked = try await run(
            book("12:00") + ["--json", "--key", "lost-2"],
            to: "> /dev/full"
        )
        #expect(booked.code == 74, "\(booked)")
        let result = try booked.error().required("data").object().required("result").object()
        #expect(try result.required("idempotencyKey").string() == "lost-2")
        let id = try result.required("appointment").object().required("id").string()
        #expect(try await ids() == [id])
    }

    @Test("if the reader has closed the pipe, the outcome is on standard error, but nothing failed")
    func closedPipe() async throws {
        let shown = try await cli.run("salon", "show", Sample.salon, "--json").object()
        let salon = try shown.required("salon").object().text
        let child = try cli.start(["salon", "put", "-"])
        child.closeOutput()
        child.send(salon.replacing(#""name":"Scherenschnitt""#, with: #""name":"Renamed""#))
        child.endInput()
        #expect(await child.exitCode() == 0, "\(child.standardError())")
        #expect(child.standardError().contains("Renamed"), "\(child.standardError())")
    }

    @Test("a list or a dry run is not repeated on standard error")
    func reading() async throws {
        let dryRun = try await run(book("12:00") + ["--dry-run"], to: "> /dev/full")
        #expect(dryRun.code == 74 && !dryRun.errors.contains("booked"), "\(dryRun)")
        #expect(try await cli.book("12:00", ["--notes", "private"]).code == 0)
        for words in [["appointments"], ["appointments", "--json"], ["appointments", "--ical"]] {
            let outcome = try await run(words, to: "> /dev/full")
            #expect(outcome.code == 74 && !outcome.errors.contains("1234567"), "\(outcome)")
            #expect(!outcome.errors.contains("private"), "\(outcome)")
        }
    }
}
