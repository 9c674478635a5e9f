import Foundation
import JSON
import Testing

@Suite("Commands for services, staff, holds, and weeks", .throttled, .timeLimit(.minutes(10)))
struct WeekCommandTests {
    private static let color = ["--service", "color", "--with", "carm"]

    /// The first free time for Carmen to color hair within a week from tomorrow, as `slots` shows it.
    private func time(_ cli: CommandLineClient) async throws -> String {
        let end = Date(timeIntervalSinceNow: 8 * 86_400).formatted(.iso8601.year().month().day())
        let words = ["slots", "sol", "--start", "tomorrow", "--end", end] + Self.color
        let slots = try await cli.run(words)
        #expect(slots.line(0).hasPrefix("TIME                       END    DAY"), "\(slots)")
        // The row of a closed day has no time.
        let row = try #require(slots.lines.dropFirst().first { $0.contains(" free ") })
        return String(row.prefix { $0 != " " })
    }

    private func book(_ cli: CommandLineClient, _ time: String, _ options: [String]) async throws
        -> CommandLineClient.Outcome
    {
        try await cli.run(["book", "sol", time, "--phone", "+34 600 111 222"] + options)
    }

    /// The rows of a week below the heading `name`.
    private func rows(_ week: CommandLineClient.Outcome, of name: String) -> ArraySlice<String> {
        let names = ["Ana", "Bruno", "Carmen"]
        return week.lines.drop { $0 != name }.dropFirst().prefix { !names.contains($0) }
    }

    @Test("week marks your own bookings, and shows those of others, under their staff member")
    func week() async throws {
        let backend = try await BackendProcess()
        let cli = try CommandLineClient(backend)
        let other = try CommandLineClient(["--base-url", backend.url])
        let time = try await time(cli)
        let booked = try await book(cli, time, Self.color)
        #expect(booked.output.contains("  service  Color\n  staff    Carmen\n"), "\(booked)")
        let mine = try await cli.run("week", "sol", "--from", String(time.prefix(10)))
        #expect(mine.code == 0 && mine.line(0).hasPrefix("Peluquería Sol, "), "\(mine)")
        #expect(!mine.output.contains("\u{1B}"))
        let shown = try #require(rows(mine, of: "Carmen").first { $0.contains("Color") })
        #expect(shown.contains("yours") && shown.hasSuffix("Color    +34 600 111 222"))
        #expect(!rows(mine, of: "Ana").contains { $0.contains("Color") })
        let theirs = try await other.run("week", "sol", "--from", String(time.prefix(10)))
        #expect(rows(theirs, of: "Carmen").contains(shown.replacing("yours ", with: "booked")))
        let json = try await cli.run("week", "sol", "--json").object()
        #expect(try json.required("availability").array().count == 3 && json["salon"] != nil)
        let ana = try await cli.run("week", "sol", "--with", "ana")
        #expect(ana.lines.contains("Ana") && !ana.lines.contains("Carmen"))
        let bad = try await cli.run("week", "sol", "--from", "someday")
        #expect(
            bad.code == 64
                && bad.errors.contains("--from must be today, tomorrow, a weekday, or a date")
        )
    }

    @Test("week has color only on a terminal, not with NO_COLOR, and fits the terminal")
    func terminal() async throws {
        let cli = try CommandLineClient(try await BackendProcess())
        for (columns, noColor, hasColor) in [
            (80, "", true), (80, "1", false), (30, "1", false),
        ] {
            let terminal = try TerminalProcess(
                columns: UInt16(columns),
                Binaries.novablend,
                cli.arguments(["week", "sol"]),
                cli.environment.merging(["NO_COLOR": noColor]) { $1 }
            )
            let (shown, code) = await terminal.finish()
            #expect(code == 0 && shown.contains("\u{1B}[32m") == hasColor, "\(shown)")
            // The first two lines are the salon and the range.
            let lines = shown.split(separator: "\r\n").dropFirst(2)
            #expect(hasColor || lines.allSatisfy { $0.count <= columns }, "\(shown)")
            #expect(lines.contains { $0.hasPrefix("DAY") } == (columns == 80))
        }
    }

    @Test("day shows a column for each staff member, and follows changes")
    func day() async throws {
        let backend = try await BackendProcess()
        let cli = try CommandLineClient(backend)
        let time = try await time(cli)
        let date = String(time.prefix(10))
        let free = try await cli.run("day", "sol", date)
        #expect(free.code == 0 && free.line(1).hasSuffix(" \(date), Europe/Madrid"), "\(free)")
        let header = try #require(free.lines.first { $0.hasPrefix("TIME ") })
        let words = header.split(separator: " ").map(String.init)
        #expect(words == ["TIME", "Ana", "Bruno", "Carmen"])
        let terminal = try TerminalProcess(
            columns: 120,
            Binaries.novablend,
            cli.arguments(["day", "sol", date, "--watch"]),
            cli.environment.merging(["NO_COLOR": "1"]) { $1 }
        )
        #expect(await terminal.shows("Carmen"))
        _ = try await book(cli, time, Self.color)
        #expect(await terminal.shows("Color +34 600 111 222"))
        terminal.signal(SIGINT)
        let row = try #require(
            try await cli.run("day", "sol", date).lines.first { $0.contains("yours Color") }
        )
        #expect(row.hasPrefix(time.dropFirst(11).prefix(5)), "\(row)")
        let bad = try await cli.run("day", "sol", "someday")
        #expect(bad.code == 64 && bad.errors.contains("DAY must be today"), "\(bad)")
        #expect(try await cli.run("day", "sol", "--json").object()["availability"] != nil)
    }

    @Test(
        "week --watch and day --watch fit the height of the terminal, and say what they leave out"
    )
    func height() async throws {
        let cli = try CommandLineClient(try await BackendProcess())
        for command in ["week", "day"] {
            let terminal = try TerminalProcess(
                columns: 80,
                lines: command == "week" ? 20 : 6,
                Binaries.novablend,
                cli.arguments(
                    [command, "sol"] + (command == "day" ? ["monday"] : []) + ["--watch"]
                ),
                cli.environment.merging(["NO_COLOR": "1"]) { $1 }
            )
            let note = command == "week" ? " more lines: " : "not shown: "
            #expect(await terminal.shows(note))
            terminal.signal(SIGINT)
            let (shown, _) = await terminal.finish()
            let lines = shown.split(separator: "\r\n", omittingEmptySubsequences: false)
            // The last line of the screen is the cursor's.
            let height = lines.firstIndex { $0.contains(note) }.map { $0 + 1 }
            #expect(height == (command == "week" ? 19 : 5), "\(shown)")
        }
    }

    @Test("a weekday is a day on the salon's clock, today included")
    func weekday() async throws {
        let cli = try CommandLineClient(try await BackendProcess())
        // A Thursday that is not past for the server.
        let days = (1...7).map { Date(timeIntervalSinceNow: Double($0) * 86_400) }
        let utc = Calendar(identifier: .iso8601)
        let thursday = try #require(days.first { utc.component(.weekday, from: $0) == 5 })
        func date(_ days: Double) -> String {
            thursday.addingTimeInterval(days * 86_400).formatted(.iso8601.year().month().day())
        }
        for (clock, day, expected) in [
            ("\(date(0)) 09:00:00", "thursday", date(0)), ("\(date(0)) 09:00:00", "Fri", date(1)),
            // In Madrid it is already Thursday.
            ("\(date(-1)) 23:30:00", "thu", date(0)), ("\(date(-1)) 23:30:00", "today", date(0)),
        ] {
            let words =
                FakeClock.starting(at: clock) + [Binaries.novablend]
                + cli.arguments(["slots", "sol", "--day", day])
            let child = try ChildProcess(
                words[0],
                Array(words.dropFirst()),
                environment: cli.environment.merging(["TZ": "UTC"]) { $1 }
            )
            child.endInput()
            let output = await child.remainingOutput()
            let row = output.split(separator: "\n").dropFirst().first ?? ""
            #expect(row.hasPrefix(expected), "\(day): \(output) \(child.standardError())")
            #expect(child.standardError().isEmpty, "\(child.standardError())")
        }
    }

    @Test("hold reserves a time for one phone number, until it is booked or released")
    func hold() async throws {
        let backend = try await BackendProcess()
        let cli = try CommandLineClient(backend)
        let time = try await time(cli)
        let words = ["hold", "sol", time, "--phone", "+34 600 111 222"] + Self.color
        let dry = try await cli.run(words + ["--dry-run"])
        #expect(dry.code == 0 && dry.line(0) == "Would be held", "\(dry)")
        let held = try await cli.run(words + ["--json"]).object()
        let id = try held.required("holdId").string()
        #expect(try await book(cli, time, Self.color).code == 3)
        #expect(try await cli.run("release", id).line(0) == "Released")
        let again = try await cli.run(words)
        #expect(again.line(0) == "Held" && again.output.contains("ends in  "), "\(again)")
        let field = try #require(again.lines.first { $0.hasPrefix("  id ") })
        let newID = String(try #require(field.split(separator: " ").last))
        let booked = try await book(cli, time, Self.color + ["--hold", newID])
        #expect(booked.code == 0 && booked.output.contains("Carmen"), "\(booked)")
        #expect(try await cli.run("release", "unknown").code != 0)
    }

    @Test("reschedule keeps the service and staff member, changes them, or leaves the choice open")
    func reschedule() async throws {
        let cli = try CommandLineClient(try await BackendProcess())
        let time = try await time(cli)
        let booked = try await book(cli, time, Self.color + ["--json"]).object()
        let id = try booked.required("appointment").object().required("id").string()
        let later = try await self.time(cli)
        let kept = try await cli.run("reschedule", id, later)
        #expect(kept.output.contains("service  Color\n  staff    Carmen\n"), "\(kept)")
        let open = try await cli.run("reschedule", id, time, "--with", "anyone")
        #expect(open.output.contains("(assigned)\n"), "\(open)")
        let cut = try await cli.run("reschedule", id, later, "--service", "cut", "--with", "ana")
        #expect(cut.output.contains("service  Cut\n  staff    Ana\n"), "\(cut)")
        let listed = try await cli.run("appointments")
        #expect(
            listed.line(0).hasPrefix("TIME                       END    SALON           SERVICE")
        )
        #expect(listed.line(1).hasPrefix(later), "the same notation as in the list of slots")
    }

    @Test("a name of a service or staff member that none or several match lists the candidates")
    func names() async throws {
        let cli = try CommandLineClient(try await BackendProcess())
        let none = try await cli.run("slots", "sol", "--service", "massage")
        #expect(none.code == 64 && none.errors.contains("has no service massage\n"), "\(none)")
        #expect(none.errors.contains("try:  cut  Cut\n        color  Color\n"))
        let several = try await cli.run("slots", "sol", "--with", "a")
        #expect(several.code == 64 && several.errors.contains("2 staff members"), "\(several)")
        let other = try await cli.run("slots", "owl", "--with", "ana")
        #expect(other.code == 64 && other.errors.contains("lists no staff members"), "\(other)")
    }

    @Test("slots --explain shows who is free, and why the others are not")
    func explain() async throws {
        let cli = try CommandLineClient(try await BackendProcess())
        let time = try await time(cli)
        _ = try await book(cli, time, Self.color)
        let words = ["slots", "sol", "--explain", time, "--service", "color"]
        let outcome = try await cli.run(words)
        #expect(outcome.line(0).hasSuffix("can be booked"), "\(outcome)")
        #expect(
            outcome.lines.dropFirst(2) == [
                "  Ana     free", "  Carmen  booked by you",
                "  Bruno   does not offer the service",
            ]
        )
        let carmen = try await cli.run(words + ["--with", "carmen"])
        #expect(carmen.line(0).hasSuffix("cannot be booked"), "\(carmen)")
        #expect(carmen.output.contains("rule     taken"))
    }

    @Test("a week from the cache says so once")
    func offline() async throws {
        let backend = try await BackendProcess()
        let cli = try CommandLineClient(backend)
        let online = try await cli.run("week", "sol", "--from", "tomorrow")
        #expect(online.errors.isEmpty, "\(online)")
        backend.child.kill()
        let outcome = try await cli.run("week", "sol", "--from", "tomorrow")
        #expect(outcome.code == 0 && outcome.lines == online.lines, "\(outcome)")
        let notes = outcome.errors.split(separator: "\n")
        #expect(notes.count == 2 && notes[0].hasPrefix("computed from opening hours"))
        #expect(notes.last?.hasPrefix("from the cache, ") == true)
    }

    @Test("services, staff, and salon show list what a salon offers")
    func offers() async throws {
        let cli = try CommandLineClient(try await BackendProcess())
        let services = try await cli.run("services", "sol")
        #expect(services.lines.contains { $0.hasPrefix("Cut ") && $0.contains("18.00 EUR  all") })
        let staff = try await cli.run("staff", "sol")
        #expect(staff.lines.contains { $0.hasPrefix("Carmen  Cut, Color") }, "\(staff)")
        let salon = try await cli.run("salon", "show", "sol")
        #expect(salon.output.contains("hours     Mon-Fri 10:00-14:00, 16:30-20:00\n"), "\(salon)")
        #expect(salon.output.contains("\nSERVICE") && salon.output.contains("\nSTAFF"))
        let empty = try await cli.run("staff", "owl")
        #expect(empty.output.isEmpty && empty.errors == "Night Owl Barbers lists no staff\n")
    }
}
