import BackendKit
import BookingStorage
import Contract
import Domain
import Foundation
import SystemTestSupport
import Testing

@testable import SQLiteStorage

@Suite("salons import and salons export", .timeLimit(.minutes(10)))
struct SalonsImportTests {
    private let directory: TemporaryDirectory
    private var database: String { directory.path + "/db.sqlite" }

    init() throws { directory = try TemporaryDirectory() }

    private func run(_ words: String..., input: String = "") async throws -> CommandOutput {
        try await CommandOutput(words + ["--database", database], input: input)
    }

    private func store() throws -> SQLiteBookingStore {
        try SQLiteBookingStore(path: database, clock: SystemClock())
    }

    private let csv = """
        id,name,location,phone,open_time,close_time,time_zone
        5a100000-0000-4000-8000-0000000000a1,Uno,Here,1,09:00,18:00,Europe/Berlin
        5a100000-0000-4000-8000-0000000000a2,Due,There,,18:00,02:00,

        """

    /// The states and names that an import has printed.
    private func states(_ outcome: CommandOutput) -> [String] {
        outcome.output.split(separator: "\n").dropFirst().filter { $0.contains("5a100000") }
            .map { $0.split(separator: " ").prefix(2).joined(separator: " ") }
    }

    private func fileNames() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
    }

    @Test("An import creates a database with the salons, and repeating it changes nothing")
    func create() async throws {
        let first = try await run("salons", "import", "-", input: csv)
        #expect(first.code == 0 && first.errors.isEmpty, "\(first.errors)")
        #expect(states(first) == ["created Uno", "created Due"])
        #expect(first.output.hasSuffix("2 created, 0 changed, 0 unchanged, 0 deleted\n"))
        let again = try await run("salons", "import", "-", input: csv)
        #expect(states(again) == ["unchanged Uno", "unchanged Due"])
        let changed = try await run(
            "salons",
            "import",
            "-",
            input: csv.replacingOccurrences(of: "Here", with: "Elsewhere")
        )
        #expect(states(changed) == ["changed Uno", "unchanged Due"])
        // Sample salons are only for a database that a server creates.
        try Backend(database: database).stop()
        let store = try store()
        defer { store.close() }
        let salons = try await store.salons(after: nil, limit: 9)
        #expect(
            salons.map(\.version) == [2, 1] && salons.map(\.location) == ["Elsewhere", "There"]
        )
    }

    @Test(
        "In a file without tables, as a killed start leaves it, only serve adds the samples",
        arguments: [(["salons", "import", "-"], ["Uno", "Due"]), (["migrate"], [])]
    )
    func fileWithoutTables(command: [String], names: [String]) async throws {
        try Database(path: database, access: .create).execute("PRAGMA journal_mode=WAL")
        try #require(try !Data(contentsOf: URL(filePath: database)).isEmpty)
        let outcome = try await CommandOutput(command + ["--database", database], input: csv)
        #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        let store = try store()
        defer { store.close() }
        #expect(try await store.salons(after: nil, limit: 9).map(\.name) == names)
    }

    @Test("An export of a new database has the sample salons, and its import changes nothing")
    func roundTrip() async throws {
        try Backend(database: database).stop()
        let json = try await run("salons", "export")
        #expect(json.code == 0 && json.errors.isEmpty)
        let samples = try SalonListCodec.decode(Array(json.output.utf8))
        #expect(samples == SampleSalons.all)
        let csv = try await run("salons", "export", "--csv", "-")
        for export in [json.output, csv.output] {
            let outcome = try await run(
                "salons",
                "import",
                "-",
                "--delete-missing",
                "--yes",
                input: export
            )
            let count = samples.count
            #expect(
                outcome.output.hasSuffix("0 created, 0 changed, \(count) unchanged, 0 deleted\n")
            )
            let other = ["--database", directory.path + "/other.sqlite"]
            _ = try await CommandOutput(["salons", "import", "-"] + other, input: export)
            #expect(try await CommandOutput(["salons", "export"] + other).output == json.output)
            #expect(
                try await CommandOutput(["salons", "export", "--csv"] + other).output == csv.output
            )
        }
    }

    @Test("An export has all salons, also if they fill several pages exactly")
    func pages() async throws {
        for count in [1_000, 1_001, 2_000] {
            let lines = (0..<count).map { "S\($0),x,09:00,10:00\n" }
            let input = "name,location,open_time,close_time\n" + lines.joined()
            #expect(try await run("salons", "import", "-", input: input).code == 0)
            let export = try await run("salons", "export")
            let salons = try SalonListCodec.decode(Array(export.output.utf8))
            #expect(salons.count == count && Set(salons.map(\.id)).count == count)
            #expect(
                try await run("salons", "export", "--csv").output.split(separator: "\r\n").count
                    == count + 1
            )
        }
    }

    @Test("A salon without an id replaces the only one with its name")
    func names() async throws {
        _ = try await run("salons", "import", "-", input: csv)
        let header = "name,location,open_time,close_time\n"
        let renamed = try await run(
            "salons",
            "import",
            "-",
            input: header + "Uno,New,09:00,18:00\n"
        )
        #expect(states(renamed) == ["changed Uno"])
        let third = csv.replacingOccurrences(of: "Due", with: "Uno")
        let warned = try await run("salons", "import", "-", input: third)
        #expect(warned.code == 0 && warned.errors.contains("is also the name of salons[0]"))
        let before = try await run("salons", "export").output
        let ambiguous = try await run(
            "salons",
            "import",
            "-",
            input: header + "New,x,09:00,18:00\nUno,New,09:00,18:00\n"
        )
        #expect(ambiguous.code == 65)
        #expect(
            ambiguous.errors == """
                novablend-backend: salons[1] has no id, and 2 salons have its name
                  note: nothing was changed

                """
        )
        #expect(try await run("salons", "export").output == before)
    }

    @Test("A salon whose largest booking takes too much time is not imported")
    func largeSalon() async throws {
        let salon = #"{"name":"A","location":"B","open_time":9,"close_time":10,"seats":"#
        for (seats, code) in [(286, 65), (285, 0)] as [(Int, Int32)] {
            let input = #"{"salons":[\#(salon)\#(seats)}]}"#
            for command in ["check", "import"] {
                let words = ["salons", command, "-"]
                let database = command == "import" ? ["--database", database] : []
                let outcome = try await CommandOutput(words + database, input: input)
                #expect(outcome.code == code)
                let text = outcome.output + outcome.errors
                #expect(text.contains("salons[0].seats must be at most 285") == (code == 65))
            }
        }
    }

    @Test("A salon has the same maximum size as over HTTP")
    func maximumSize() async throws {
        let (start, end) = (
            #"{"id":"5a100000-0000-4000-8000-0000000000a1","name":"A","location":""#,
            #"","open_time":9.00,"close_time":10.00}"#
        )
        let rest = SalonRules.maximumBytes - start.utf8.count - end.utf8.count
        for (bytes, code) in [(rest + 1, 65), (rest, 0)] as [(Int, Int32)] {
            let salon = start + String(repeating: "x", count: bytes) + end
            let outcome = try await run("salons", "import", "-", input: "{\"salons\":[\(salon)]}")
            #expect(outcome.code == code)
            let message = "error: salons[0] must be at most 262144 bytes of JSON, but has 262145"
            #expect(outcome.errors.contains(message) == (code == 65))
        }
    }

    @Test("A file with errors changes nothing, and shows all of them")
    func invalid() async throws {
        let outcome = try await run("salons", "import", "-", input: csv + "x,,,,,,\n")
        #expect(outcome.code == 65 && outcome.output.isEmpty)
        #expect(outcome.errors.contains("error: salons[2].id must be a UUID (line 4, column id)\n"))
        #expect(outcome.errors.contains("salons[2].close_time must be present"))
        #expect(outcome.errors.hasSuffix("the file has errors\n  note: nothing was changed\n"))
        #expect(try fileNames().isEmpty)
    }

    @Test("A dry run shows what would change, and changes nothing")
    func dryRun() async throws {
        let new = try await run("salons", "import", "-", "--dry-run", input: csv)
        #expect(new.code == 0 && states(new) == ["created Uno", "created Due"])
        #expect(new.output.hasSuffix("(dry run: nothing was changed)\n"))
        #expect(try fileNames().isEmpty)
        _ = try await run("salons", "import", "-", input: csv)
        let before = try await run("salons", "export").output
        let other = csv.replacingOccurrences(of: "Here", with: "Elsewhere")
            .replacingOccurrences(of: "00a2", with: "00a3")
        let outcome = try await run(
            "salons",
            "import",
            "-",
            "--dry-run",
            "--delete-missing",
            input: other
        )
        #expect(states(outcome) == ["created Due", "changed Uno", "deleted Due"])
        #expect(try await run("salons", "export").output == before)
        let actual = try await run(
            "salons",
            "import",
            "-",
            "--delete-missing",
            "--yes",
            input: other
        )
        #expect(states(actual) == states(outcome))
    }

    @Test("More salons than fit in a page can be deleted at once")
    func deleteMany() async throws {
        let lines = (0..<2_001).map { "S\($0),x,09:00,10:00\n" }
        let header = "name,location,open_time,close_time\n"
        let many = try await run("salons", "import", "-", input: header + lines.joined())
        #expect(many.output.hasSuffix("\n2001 created, 0 changed, 0 unchanged, 0 deleted\n"))
        let one = header + "S7,y,09:00,10:00\n"
        let outcome = try await run(
            "salons",
            "import",
            "-",
            "--delete-missing",
            "--yes",
            input: one
        )
        #expect(outcome.output.hasSuffix("\n0 created, 1 changed, 0 unchanged, 2000 deleted\n"))
    }

    /// Books at a salon of the file, tomorrow at an hour in UTC.
    private func book(_ digit: String, hour: Int) async throws -> String {
        let store = try store()
        defer { store.close() }
        let day = CalendarDate(daysSince1970: Int(Date().timeIntervalSince1970) / 86_400 + 1)
        let text = "\(day)T\(hour):00:00+0000"
        let id = try #require(SalonID("5a100000-0000-4000-8000-0000000000a\(digit)"))
        let booking = BookingRequest(
            salonID: id,
            time: try #require(ISO8601.parse(text)),
            phone: "12345"
        )
        let booked = try await store.book(booking, as: nil, by: .local) { salon in
            try BookingPlan(for: booking.options, at: salon, on: .offset(minutes: 0))
        }
        return booked.id
    }

    @Test("Bookings that the new hours do not allow are retained and listed, also in a dry run")
    func conflicts() async throws {
        _ = try await run("salons", "import", "-", input: csv)
        let early = try await book("2", hour: 20)
        let late = try await book("2", hour: 23)
        let other = csv.replacingOccurrences(of: "18:00,02:00", with: "19:00,22:00")
        for words in [["--dry-run"], []] {
            let outcome = try await CommandOutput(
                ["salons", "import", "-", "--database", database] + words,
                input: other
            )
            #expect(outcome.code == 0 && states(outcome) == ["changed Due", "unchanged Uno"])
            #expect(outcome.output.contains(late) && !outcome.output.contains(early))
            #expect(outcome.output.contains("\n1 booking no longer fits and "))
        }
        let store = try store()
        defer { store.close() }
        #expect(try await store.appointment(late, visibleTo: .administrator)?.status == .booked)
    }

    @Test("Missing salons are deleted only if none of them has a booking in the future")
    func deleteMissing() async throws {
        _ = try await run("salons", "import", "-", input: csv)
        let booking = try await book("2", hour: 20)
        let before = try await run("salons", "export").output
        let third = "\(csv.split(separator: "\n")[0])\n,Tre,x,,09:00,10:00,\n"
        for words in [["--dry-run"], []] {
            let rejected = try await CommandOutput(
                ["salons", "import", "-", "--delete-missing", "--yes", "--database", database]
                    + words,
                input: third
            )
            #expect(rejected.code == 4 && rejected.output.isEmpty)
            #expect(
                rejected.errors == """
                    novablend-backend: salons with bookings in the future cannot be deleted: \
                    Due (5a100000-0000-4000-8000-0000000000a2)
                      note: nothing was changed

                    """
            )
        }
        #expect(try await run("salons", "export").output == before)
        let store = try store()
        _ = try await store.change(booking, as: nil, by: .local) { stored, _ in
            stored.status = .cancelled
            return nil
        }
        store.close()
        let outcome = try await run(
            "salons",
            "import",
            "-",
            "--delete-missing",
            "--yes",
            input: third
        )
        #expect(outcome.code == 0 && states(outcome) == ["deleted Uno", "deleted Due"])
        #expect(outcome.output.hasSuffix("1 created, 0 changed, 0 unchanged, 2 deleted\n"))
    }

    @Test("An export never replaces a file without --force, and leaves none behind after an error")
    func exportFile() async throws {
        _ = try await run("salons", "import", "-", input: csv)
        let file = directory.path + "/salons.csv"
        #expect(try await run("salons", "export", file, "--csv").code == 0)
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(text == (try await run("salons", "export", "--csv")).output)
        let before = try fileNames().filter { $0.contains("salons") }
        let again = try await run("salons", "export", file)
        #expect(again.code == 73)
        #expect(again.errors == "novablend-backend: \(file) exists; replace it with --force\n")
        let missing = try await run("salons", "export", directory.path + "/missing/salons.json")
        #expect(missing.code == 73 && missing.errors.hasSuffix("No such file or directory\n"))
        #expect(try fileNames().filter { $0.contains("salons") } == before)
        #expect(try await run("salons", "export", file, "--force").code == 0)
        #expect(try String(contentsOfFile: file, encoding: .utf8).hasPrefix("{\"salons\":[\n{"))
        #expect(try fileNames().filter { $0.contains("salons") } == before)
    }

    @Test("A database that cannot be used is an error, and is not created")
    func unusable() async throws {
        let missing = try await run("salons", "export")
        #expect(missing.code == 66)
        #expect(missing.errors == "novablend-backend: the database \(database) does not exist\n")
        #expect(try fileNames().filter { $0.contains("salons") }.isEmpty)
        try Data("This is text and no database, but long enough.".utf8)
            .write(to: URL(filePath: database))
        for words in [["salons", "export"], ["salons", "import", "-"]] {
            let outcome = try await CommandOutput(words + ["--database", database], input: csv)
            #expect(outcome.code == 1 && outcome.output.isEmpty)
            #expect(
                outcome.errors.hasPrefix(
                    "novablend-backend: the database \(database) cannot be used: "
                )
            )
        }
        let memory = try await CommandOutput(["salons", "export", "--database", ":memory:"])
        #expect(memory.code == 64)
    }
}
