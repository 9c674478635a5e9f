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

    @Test("a position from before a copy was made is valid in it, and one from after is not")
    func copies() async throws {
        let database = try TemporaryDatabase()
        let clock = ManualClock()
        let salons = [Samples.salon()]
        let store = try SQLiteBookingStore(path: database.path, clock: clock, newSalons: salons)
        defer { store.close() }
        let common = try await store.book(Samples.booking(), as: nil, minutes: 30)
        let before = try await store.changes(after: nil, limit: 0).cursor
        let copies = ["backup", "other"].map { "\(database.directory)/\($0)" }
        try SQLiteBookingStore.backUp(database.path, to: copies[0])
        // Any other program knows nothing about terms.
        try database.run("VACUUM INTO '\(copies[1])'")
        let lost = try await store.book(Samples.booking(hours: 1), as: nil, minutes: 30)
        let after = try await store.changes(after: nil, limit: 0).cursor
        for path in copies {
            let restored = try SQLiteBookingStore(path: path, clock: clock)
            defer { restored.close() }
            await expectTooOld(after, in: restored)
            #expect(try await restored.changes(after: before, limit: 9).changes.isEmpty)
            #expect(try await restored.appointments(after: nil, limit: 9) == [common])
            // The copy books as much as was lost, and more.
            var booked: [StoredAppointment] = []
            for hour: Int64 in 2..<4 {
                booked.append(
                    try await restored.book(Samples.booking(hours: hour), as: nil, minutes: 30)
                )
                await expectTooOld(after, in: restored)
            }
            let page = try await restored.changes(after: before, limit: 9)
            #expect(page.changes.map(\.element) == booked.map { .appointment($0) })
            // Neither database has the later changes of the other one.
            await expectTooOld(page.cursor, in: store)
        }
        let page = try await store.changes(after: before, limit: 9)
        #expect(page.changes.map(\.element) == [.appointment(lost)] && page.cursor == after)
    }

    private func expectTooOld(_ cursor: ChangeCursor, in store: SQLiteBookingStore) async {
        await #expect(throws: Problem.cursorTooOld) {
            try await store.changes(after: cursor, limit: 9)
        }
    }

    @Test("each new database has a history of its own, and positions outlast restarts")
    func terms() async throws {
        var first: [ChangeCursor] = []
        for _ in 0..<3 {
            let database = try TemporaryDatabase()
            let salons = [Samples.salon()]
            var cursors: [ChangeCursor] = []
            for hour: Int64 in 0..<4 {
                let store = try SQLiteBookingStore(
                    path: database.path,
                    clock: ManualClock(),
                    newSalons: salons
                )
                defer { store.close() }
                // A start that changes nothing begins no term.
                try await store.checkHealth()
                cursors.append(try await store.changes(after: nil, limit: 0).cursor)
                if hour > 0 { #expect(cursors[Int(hour) - 1].epoch != cursors[Int(hour)].epoch) }
                try await store.book(Samples.booking(hours: hour), as: nil, minutes: 30)
                for (count, cursor) in cursors.enumerated() {
                    let page = try await store.changes(after: cursor, limit: 9)
                    #expect(page.changes.count == Int(hour) + 1 - count)
                }
            }
            #expect(try database.run("SELECT count(*) FROM terms") == ["5"])
            first.append(cursors[0])
        }
        #expect(Set(first).count == 3 && first.allSatisfy { $0.epoch.utf8.count == 16 })
    }
}
