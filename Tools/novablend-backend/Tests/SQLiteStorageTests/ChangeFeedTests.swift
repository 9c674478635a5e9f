import BookingStorage
import BookingStorageTestSupport
import Domain
import DomainTestSupport
import Testing

@testable import SQLiteStorage

@Suite("The changes in a booking store in SQLite", .timeLimit(.minutes(10)))
struct ChangeFeedTests {
    @Test("in a file", arguments: BookingStoreSpec.changeFeed)
    func inFile(spec: BookingStoreSpec) async throws {
        let database = try TemporaryDatabase()
        let path = database.path
        try await spec.check { clock in try SQLiteBookingStore(path, clock) }
    }

    @Test(
        "in memory",
        arguments: BookingStoreSpec.changeFeed.filter { !$0.needsSharedDatabase }
    )
    func inMemory(spec: BookingStoreSpec) async throws {
        try await spec.check { clock in try SQLiteBookingStore(":memory:", clock) }
    }

    @Test(
        "a copy that follows 50 random histories from a random step on equals the lists",
        arguments: 0..<40 as Range<UInt64>
    )
    func histories(block: UInt64) async throws {
        for seed in (block * 50)..<(block * 50 + 50) {
            let database = try TemporaryDatabase()
            let path = database.path
            try await RandomHistory.check(seed: seed, steps: 40, followsChanges: true) { clock in
                try SQLiteBookingStore(path, clock)
            }
        }
    }

    @Test("a copy follows two processes that write the same file and are killed")
    func processes() async throws {
        let database = try TemporaryDatabase()
        func start(_ name: String) throws -> StoreWriter {
            try StoreWriter(
                database: database.path,
                output: "\(database.directory)/\(name)",
                clients: 8,
                bookings: 100_000
            )
        }
        let first = try start("first")
        while first.confirmedKeys().isEmpty {
            try first.requireRunning()
            await Task.yield()
        }
        let second = try start("second")
        let store = try SQLiteBookingStore(path: database.path, clock: ManualClock())
        defer { store.close() }
        var follower = try await ChangeFollower(store)
        for count in [100, 200, 300] {
            while min(first.confirmedKeys().count, second.confirmedKeys().count) < count {
                try first.requireRunning()
                try second.requireRunning()
                try await follower.follow(store, limit: 7)
            }
        }
        try first.kill(afterConfirming: 300)
        try await follower.follow(store)
        try second.kill(afterConfirming: 400)
        try await follower.follow(store)
        let keys = Set(follower.appointments.values.compactMap(\.idempotencyKey))
        #expect(keys.isSuperset(of: first.confirmedKeys() + second.confirmedKeys()))
        try await follower.compare(with: store)
    }

    @Test("a position from before a backup is too old in the restored copy")
    func backup() async throws {
        let database = try TemporaryDatabase()
        let copy = database.directory + "/copy"
        let clock = ManualClock()
        let salons = [Samples.salon()]
        let store = try SQLiteBookingStore(path: database.path, clock: clock, newSalons: salons)
        defer { store.close() }
        try await store.book(Samples.booking(), as: nil, minutes: 30)
        let before = try await store.changes(after: nil, limit: 0).cursor
        try SQLiteBookingStore.backUp(database.path, to: copy)
        // The original database goes on with its history.
        #expect(try await store.changes(after: before, limit: 9).cursor == before)
        let restored = try SQLiteBookingStore(path: copy, clock: clock)
        defer { restored.close() }
        await #expect(throws: StoreError.self) {
            try await restored.changes(after: before, limit: 9)
        }
        let now = try await restored.changes(after: nil, limit: 0).cursor
        #expect(now.epoch != before.epoch && now.number == before.number)
    }

    @Test("each new database has an epoch of its own, and a restart keeps it")
    func epochs() async throws {
        var epochs: [String] = []
        for _ in 0..<3 {
            let database = try TemporaryDatabase()
            for _ in 0..<2 {
                let store = try SQLiteBookingStore(path: database.path, clock: ManualClock())
                defer { store.close() }
                epochs.append(try await store.changes(after: nil, limit: 0).cursor.epoch)
            }
        }
        #expect(Set(epochs).count == 3 && epochs.allSatisfy { $0.utf8.count == 16 })
        #expect(epochs[0] == epochs[1] && epochs[2] == epochs[3] && epochs[4] == epochs[5])
    }
}
