import BookingStorage
import BookingStorageTestSupport
import Domain
import DomainTestSupport
import Testing

@testable import SQLiteStorage

@Suite("A process that is killed while it writes batches", .timeLimit(.minutes(10)))
struct KillTests {
    @Test("has stored everything that it confirmed, once", arguments: [1, 7, 64])
    func kill(clients: Int) async throws {
        let database = try TemporaryDatabase()
        let output = database.directory + "/output"
        var confirmed: Set<String> = []
        for round in 1...5 {
            let writer = try StoreWriter(
                database: database.path,
                output: output,
                clients: clients,
                bookings: 100_000
            )
            try writer.kill(afterConfirming: round * 30)
            confirmed.formUnion(writer.confirmedKeys())
        }
        #expect(confirmed.count >= 450)
        #expect(try database.run("PRAGMA integrity_check") == ["ok"])
        let stored = try database.run("SELECT idempotency_key FROM appointments")
        #expect(Set(stored).count == stored.count)
        #expect(confirmed.isSubset(of: stored))
        // A booking and its key are stored together.
        let keys = try database.run("SELECT key FROM idempotency_keys ORDER BY key")
        #expect(keys == stored.sorted())
    }
}
