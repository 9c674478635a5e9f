import BookingStorageTestSupport
import Testing

@testable import SQLiteStorage

@Suite("A booking store in SQLite", .timeLimit(.minutes(2)))
struct SQLiteBookingStoreTests {
    @Test("in a file", arguments: BookingStoreSpec.all)
    func inFile(spec: BookingStoreSpec) async throws {
        let database = try TemporaryDatabase()
        let path = database.path
        try await spec.check { clock in try SQLiteBookingStore(path: path, clock: clock) }
    }

    @Test("in memory", arguments: BookingStoreSpec.all.filter { !$0.needsSharedDatabase })
    func inMemory(spec: BookingStoreSpec) async throws {
        try await spec.check { clock in try SQLiteBookingStore(path: ":memory:", clock: clock) }
    }

    @Test(
        "a random history has the same results as a simple model",
        arguments: 0..<20 as Range<UInt64>
    )
    func history(seed: UInt64) async throws {
        let database = try TemporaryDatabase()
        let path = database.path
        try await RandomHistory.check(seed: seed) { clock in
            try SQLiteBookingStore(path: path, clock: clock)
        }
    }
}
