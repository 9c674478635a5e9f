import BackendKit
import BookingStorage
import Domain
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

    @Test("a database that does not exist is not created")
    func missing() async throws {
        store.close()
        let path = directory.path + "/none.sqlite"
        #expect(try await CommandOutput(["audit", "--database", path]).code == 66)
    }
}
