import BackendKit
import BookingStorage
import Domain
import Foundation
import SQLiteStorage
import SystemTestSupport
import Testing

@Suite("audit", .timeLimit(.minutes(10)))
struct AuditTests {
    private let directory: TemporaryDirectory
    private let store: SQLiteBookingStore
    private let salon = SampleSalons.all[0]
    private let administrator = Principal(.administrator, tokenID: "91e3a0c2b45d6f78")

    private final class Clock: WallClock {
        let now = Timestamp(secondsSince1970: 1_800_000_000)
    }

    init() async throws {
        directory = try TemporaryDirectory()
        let path = directory.path + "/db.sqlite"
        store = try SQLiteBookingStore(path: path, clock: Clock(), newSalons: SampleSalons.all)
    }

    private func run(_ words: String...) async throws -> CommandOutput {
        let path = directory.path + "/db.sqlite"
        return try await CommandOutput(["audit", "--database", path] + words)
    }

    @Test("changes are listed as a table, or as lines of JSON")
    func output() async throws {
        defer { store.close() }
        #expect(try await run().output == "no changes\n")
        #expect(try await run("--json").output == "")
        _ = try await store.put(salon, if: .present, keepingWallClockBy: nil, by: administrator)
        let key = IdempotencyKey("k", caller: administrator.identity)
        try await store.void(key, in: nil, by: administrator)
        let table = try await run()
        #expect(table.code == 0)
        #expect(
            table.output.split(separator: "\n").map { $0.split(separator: " ") } == [
                ["TIME", "ROLE", "TOKEN", "ACTION", "KIND", "VERSION", "ID", "SALON"],
                [
                    "2027-01-15T08:00:00Z", "administrator", "91e3a0c2b45d6f78", "replace",
                    "salon", "2", "\(salon.id)", "\(salon.id)",
                ],
                ["2027-01-15T08:00:00Z", "administrator", "91e3a0c2b45d6f78", "void", "key"],
            ]
        )
        let start =
            #"{"time":"2027-01-15T08:00:00Z","role":"administrator","tokenId":"91e3a0c2b45d6f78","#
        #expect(
            try await run("--json").output == """
                \(start)"action":"replace","kind":"salon","id":"\(salon.id)",\
                "salonId":"\(salon.id)","version":2}
                \(start)"action":"void","kind":"key"}

                """
        )
    }

    @Test("the time, the salon, and the number of changes can be limited")
    func selection() async throws {
        defer { store.close() }
        for other in SampleSalons.all.prefix(3) {
            _ = try await store.put(other, if: .present, keepingWallClockBy: nil, by: administrator)
        }
        func count(_ words: String...) async throws -> Int {
            let path = directory.path + "/db.sqlite"
            let words = ["audit", "--json", "--database", path] + words
            return try await CommandOutput(words).output.split(separator: "\n").count
        }
        #expect(try await count() == 3)
        #expect(try await count("--limit", "2") == 2)
        #expect(try await count("--salon", "\(salon.id)") == 1)
        #expect(try await count("--since", "2027-01-15T08:00:00Z") == 3)
        #expect(try await count("--since", "2027-01-15T08:00:01Z") == 0)
        #expect(try await run("--limit", "0").code == 64)
        #expect(try await run("--salon", "x").code == 64)
    }

    @Test("exports and backups have entries, which say what left the database, and not of whom")
    func copies() async throws {
        defer { store.close() }
        let path = directory.path + "/db.sqlite"
        let copy = directory.path + "/copy.sqlite"
        for words in [
            ["salons", "export"], ["salons", "export", "--csv", directory.path + "/salons.csv"],
            ["customers", "export", "+49 30 1234567"], ["backup", copy],
        ] {
            let outcome = try await CommandOutput(words + ["--database", path])
            #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(words): \(outcome.errors)")
        }
        // These fail before anything has left.
        for words in [["salons", "export", copy], ["backup", copy], ["backup", path, "--force"]] {
            #expect(try await CommandOutput(words + ["--database", path]).code == 73)
        }
        let expected = [
            (AuditEntry.Action.export, AuditEntry.Kind.salon), (.export, .salon),
            (.export, .customer), (.backup, .database),
        ]
        for path in [path, copy] {
            let copied = try SQLiteBookingStore(path: path, clock: Clock())
            let entries = try await copied.auditEntries(since: nil, of: nil, limit: 10)
            copied.close()
            #expect(entries.map(\.action) == expected.map(\.0))
            #expect(entries.map(\.kind) == expected.map(\.1))
            #expect(entries.allSatisfy { $0.role == .command && $0.id == nil && $0.tokenID == nil })
        }
        let table = try await run().output
        #expect(!table.contains("1234567") && !table.contains("COUNT"))
    }

    @Test("the number of rejected requests is in a column of its own")
    func rejected() async throws {
        defer { store.close() }
        let event = AuditedChange(.reject, .address, id: "192.0.2.1", count: 12)
        try await store.record([event], by: .unknown)
        let lines = try await run().output.split(separator: "\n").map { $0.split(separator: " ") }
        #expect(lines.first?.suffix(4) == ["VERSION", "COUNT", "ID", "SALON"])
        #expect(lines.last?.dropFirst() == ["unknown", "reject", "address", "12", "192.0.2.1"])
        let json = try await run("--json").output
        #expect(json.contains(#""kind":"address","id":"192.0.2.1","count":12}"#))
    }

    @Test("a backup is made even if the log cannot get an entry, and says so")
    func unrecorded() async throws {
        store.close()
        let path = directory.path + "/db.sqlite"
        let file = try FileHandle(forUpdating: URL(filePath: path))
        // The version of the tables, as an earlier version of the program leaves it.
        try file.seek(toOffset: 63)
        try file.write(contentsOf: Data([1]))
        try file.close()
        let outcome = try await CommandOutput([
            "backup", directory.path + "/copy", "--database", path,
        ])
        #expect(outcome.code == 0)
        #expect(outcome.errors.contains("the audit log has no entry for this backup: its tables"))
    }

    @Test("a database that does not exist is not created")
    func missing() async throws {
        store.close()
        let path = directory.path + "/none.sqlite"
        #expect(try await CommandOutput(["audit", "--database", path]).code == 66)
    }
}
