import Foundation
import JSON
import SystemTestSupport
import Testing

@Suite("Commands for appointments", .throttled, .timeLimit(.minutes(10)))
struct AppointmentCommandTests {
    /// Books an appointment for tomorrow at 12:00, and returns its id.
    private func booked(_ cli: CommandLineClient) async throws -> String {
        let outcome = try await cli.book("12:00", ["--json"])
        return try outcome.object().required("appointment").object().required("id").string()
    }

    @Test("cancel --yes cancels an appointment, and appointments lists it as cancelled")
    func cancel() async throws {
        let cli = try CommandLineClient(try await BackendProcess())
        let id = try await booked(cli)
        let dry = try await cli.run("cancel", id, "--dry-run")
        #expect(dry.code == 0 && dry.lines.first == "Would be cancelled", "\(dry)")
        let outcome = try await cli.run("cancel", id, "--yes")
        #expect(outcome.code == 0 && outcome.lines.first == "Cancelled", "\(outcome)")
        #expect(try await cli.run("appointments", "--status", "booked").output.isEmpty)
        let all = try await cli.run("appointments", "--status", "all")
        #expect(all.lines.last?.contains("cancelled") == true)
    }

    @Test("cancel fails without a terminal and without --yes, and cancels nothing")
    func noTerminal() async throws {
        let cli = try CommandLineClient(try await BackendProcess())
        let id = try await booked(cli)
        let outcome = try await cli.run("cancel", id)
        #expect(outcome.code == 64 && outcome.errors.contains("try:  the same command with --yes"))
        #expect(try await cli.run("appointments").lines.count == 2)
    }

    @Test(
        "cancel asks for confirmation on a terminal",
        arguments: [("n\r", Int32(77)), ("y\r", 0)]
    )
    func confirmation(answer: String, code: Int32) async throws {
        let cli = try CommandLineClient(try await BackendProcess())
        let id = try await booked(cli)
        let terminal = try TerminalProcess(
            columns: 80,
            Binaries.novablend,
            cli.arguments(["cancel", id]),
            cli.environment
        )
        #expect(await terminal.shows("[y/N]"))
        terminal.type(answer)
        let end = await terminal.finish()
        #expect(end.code == code, "\(end.shown)")
        #expect(end.shown.contains("Salon: Scherenschnitt") && end.shown.contains("Phone: "))
        let booked = try await cli.run("appointments", "--status", "booked")
        #expect(booked.lines.count == (code == 0 ? 0 : 2))
    }

    @Test("reschedule moves an appointment, and fails if its version is not the given one")
    func reschedule() async throws {
        let cli = try CommandLineClient(try await BackendProcess())
        let id = try await booked(cli)
        let utc = ["TZ": "UTC"]
        let stale = ["reschedule", id, "tomorrow 13:00", "--version", "99"]
        #expect(try await cli.run(stale, environment: utc).code == 4)
        let outcome = try await cli.run(["reschedule", id, "tomorrow 13:00"], environment: utc)
        #expect(outcome.code == 0 && outcome.lines.first == "Moved", "\(outcome)")
        #expect(try await cli.run("appointments").output.contains("T13:00:00"))
        let unknown = try await cli.run("cancel", "unknown", "--yes")
        #expect(unknown.code == 66 && unknown.errors.contains("novablend appointments"))
    }

    @Test("book --dry-run says what would happen, and books and writes nothing")
    func dryRun() async throws {
        let cli = try CommandLineClient(try await BackendProcess())
        let named = ["book", "Scherenschnitt", "tomorrow 12:00", "--phone", "12345", "--dry-run"]
        #expect(try await cli.run(named, environment: ["TZ": "Europe/Berlin"]).code == 0)
        #expect(try FileManager.default.subpathsOfDirectory(atPath: cli.home.path).isEmpty)
        let outcome = try await cli.book("12:00", ["--dry-run"])
        #expect(outcome.code == 0 && outcome.lines.first == "Would be booked", "\(outcome)")
        #expect(try await cli.run("appointments").output.isEmpty)
    }

    @Test("appointments filters by salon and range, and returns pages")
    func filters() async throws {
        let cli = try CommandLineClient(try await BackendProcess())
        _ = try await booked(cli)
        #expect(try await cli.book("13:00").code == 0)
        func count(_ words: String...) async throws -> Int {
            let outcome = try await cli.run(["appointments"] + words, environment: ["TZ": "UTC"])
            #expect(outcome.code == 0, "\(outcome)")
            return max(0, outcome.lines.count - 1)
        }
        #expect(try await count("--salon", "Scherenschnitt") == 2)
        #expect(try await count("--salon", "Atelier Nova") == 0)
        #expect(try await count("--start", "tomorrow 12:30") == 1)
        #expect(try await count("--start", "today", "--end", "tomorrow 12:30") == 1)
        for (end, expected) in [("today", 0), ("tomorrow", 2)] {
            #expect(try await count("--start", "today", "--end", end) == expected)
        }
        #expect(try await count("--limit", "1") == 1)
        let first = try await cli.run("appointments", "--limit", "1")
        #expect(first.errors.contains("continue with --cursor "))
    }

    @Test("appointments --ical prints a calendar, or writes it to a new file")
    func calendar() async throws {
        let cli = try CommandLineClient(try await BackendProcess())
        _ = try await booked(cli)
        let printed = try await cli.run("appointments", "--ical")
        #expect(printed.code == 0 && printed.output.hasPrefix("BEGIN:VCALENDAR\r\n"), "\(printed)")
        let file = cli.home.path + "/a.ics"
        let written = try await cli.run("appointments", "--ical=\(file)")
        #expect(
            written.code == 0 && written.output.contains("1 appointment written"),
            "\(written)"
        )
        #expect(try String(contentsOfFile: file, encoding: .utf8).contains("BEGIN:VEVENT"))
        let again = try await cli.run("appointments", "--ical=\(file)")
        #expect(again.code == 64 && again.errors.contains("use --overwrite"), "\(again)")
        #expect(again.errors.contains("--ical already exists") && !again.errors.contains("\""))
        let reminding = try await cli.run("appointments", "--ical", "--remind", "2h")
        #expect(reminding.output.contains("TRIGGER:-PT2H\r\n"), "\(reminding)")
        let invalid = try await cli.run("appointments", "--ical", "--remind", "soon")
        #expect(invalid.code == 64 && invalid.errors.contains("--remind must be"), "\(invalid)")
        let replaced = try await cli.run("appointments", "--ical=\(file)", "--overwrite")
        #expect(replaced.code == 0, "\(replaced)")
    }
}
