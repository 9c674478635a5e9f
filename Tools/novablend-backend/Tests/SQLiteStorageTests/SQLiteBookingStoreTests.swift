import BookingStorage
import BookingStorageTestSupport
import Domain
import DomainTestSupport
import Glibc
import SystemSupport
import Testing

@testable import SQLiteStorage

@Suite("A booking store in SQLite", .timeLimit(.minutes(10)))
struct SQLiteBookingStoreTests {
    @Test("in a file", arguments: BookingStoreSpec.all)
    func inFile(spec: BookingStoreSpec) async throws {
        let database = try TemporaryDatabase()
        let path = database.path
        try await spec.check { clock in try SQLiteBookingStore(path, clock) }
    }

    @Test("in memory", arguments: BookingStoreSpec.all.filter { !$0.needsSharedDatabase })
    func inMemory(spec: BookingStoreSpec) async throws {
        try await spec.check { clock in try SQLiteBookingStore(":memory:", clock) }
    }

    @Test("a read runs on the thread of its caller")
    func thread() async throws {
        let store = try SQLiteBookingStore(
            path: ":memory:",
            clock: ManualClock(),
            newSalons: [Samples.salon()]
        )
        defer { store.close() }
        let isSameThread = await withCheckedContinuation { continuation in
            // A thread that does not belong to Swift's concurrency runtime, so that every change
            // of the thread is noticed.
            do {
                try SystemThread.start {
                    let caller = pthread_self()
                    Task.immediate {
                        let salon = try? await store.salon(Samples.salonID())
                        let isSame = pthread_equal(pthread_self(), caller) != 0
                        continuation.resume(returning: isSame && salon != nil)
                    }
                }
            } catch {
                continuation.resume(returning: false)
            }
        }
        #expect(isSameThread)
    }

    @Test("grains of the past and ended holds do not accumulate")
    func cleaning() async throws {
        let database = try TemporaryDatabase()
        let clock = TestClock(Timestamp(secondsSince1970: 1_900_000_200))
        let store = try SQLiteBookingStore(database.path, clock, newSalons: [Samples.salon()])
        defer { store.close() }
        for _ in 0..<20 { try await bookAndHold(store, tomorrowBy: clock) }
        // The grains of today and of the last day remain, and so do the holds that are still
        // remembered.
        #expect(try database.run("SELECT count(*) FROM occupancy") == ["24"])
        #expect(try database.run("SELECT count(*) FROM holds") == ["2"])
    }

    @Test("a salon records once a day from which grain on its grains are complete")
    func completeGrains() async throws {
        let database = try TemporaryDatabase()
        // Midnight.
        let clock = TestClock(Timestamp(secondsSince1970: 20_000 * 86_400))
        let store = try SQLiteBookingStore(database.path, clock, newSalons: [Samples.salon()])
        defer { store.close() }
        let first = "SELECT complete_from FROM salons"
        try await bookAndHold(store, tomorrowBy: clock)
        // The clock has been observed for less than a day.
        #expect(try database.run(first) == ["0"])
        try await bookAndHold(store, tomorrowBy: clock)
        #expect(try database.run(first) == ["\(20_001 * 288)"])
        try await bookAndHold(store, in: 86_100, by: clock)
        #expect(try database.run(first) == ["\(20_001 * 288)"])
        try await bookAndHold(store, in: 300, by: clock, later: 7_200)
        #expect(try database.run(first) == ["\(20_002 * 288)"])
        clock.jump(bySeconds: -86_400)
        try await bookAndHold(store, in: 3_600, by: clock, later: 3_600)
        #expect(try database.run(first) == ["\(20_002 * 288)"])
    }

    @Test("while the clock is not steady, grains, holds, and keys remain")
    func jumps() async throws {
        let database = try TemporaryDatabase()
        let clock = TestClock(Timestamp(secondsSince1970: 1_900_000_200))
        let store = try SQLiteBookingStore(database.path, clock, newSalons: [Samples.salon()])
        defer { store.close() }
        func counts() throws -> [String] {
            try ["occupancy", "holds", "idempotency_keys"].flatMap { table in
                try database.run("SELECT count(*) FROM \(table)")
            }
        }
        for key in 0..<4 { try await bookAndHold(store, tomorrowBy: clock, key: "\(key)") }
        #expect(try counts() == ["24", "2", "4"])
        clock.jump(bySeconds: 100 * 86_400)
        for key in 4..<8 {
            try await bookAndHold(store, in: 3_600, by: clock, key: "\(key)")
        }
        try await bookAndHold(store, in: 20 * 3_600, by: clock, key: "8")
        #expect(try counts() == ["84", "7", "9"])
        // A day after the jump was noticed.
        try await bookAndHold(store, in: 3_600, by: clock, key: "9")
        let left = try counts().compactMap { Int($0) }
        #expect(left[0] < 96 && left[1...] == [6, 6])
    }

    /// Lets a day pass, and then books and holds half an hour.
    private func bookAndHold(
        _ store: SQLiteBookingStore,
        tomorrowBy clock: TestClock,
        key: String? = nil
    ) async throws {
        try await bookAndHold(store, in: 86_400, by: clock, key: key)
    }

    private func bookAndHold(
        _ store: SQLiteBookingStore,
        in seconds: Int64,
        by clock: TestClock,
        later: Int64 = 0,
        key: String? = nil
    ) async throws {
        clock.advance(bySeconds: seconds)
        let start = clock.now.advanced(bySeconds: 3_600 + later)
        var booking = Samples.booking()
        booking.time.instant = start
        let request = key.map { key in
            KeyedRequest(key: IdempotencyKey(key), method: "POST", path: "/", body: [])
        }
        try await store.book(booking, as: request, minutes: 30)
        booking.time.instant = start.advanced(bySeconds: 1_800)
        _ = try await store.hold(booking, seconds: 300) { salon in
            try BookingPlan(minutes: 30, at: salon)
        }
    }

    @Test(
        "a random history has the same results as a simple model",
        arguments: 0..<20 as Range<UInt64>
    )
    func history(seed: UInt64) async throws {
        let database = try TemporaryDatabase()
        let path = database.path
        try await RandomHistory.check(seed: seed) { clock in
            try SQLiteBookingStore(path, clock)
        } occupiedGrains: { now in
            try Database(path: path, access: .read).query(
                """
                SELECT salons.id, grain,
                    iif(typeof(resource) = 'integer', 'seat ', 'staff ') || resource,
                    coalesce(appointments.id, holds.id)
                FROM occupancy JOIN salons ON salons.number = salon
                    LEFT JOIN appointments ON appointments.number = owner
                    LEFT JOIN holds ON holds.number = -owner
                WHERE occupancy.expires_at IS NULL
                    OR occupancy.expires_at > \(now.secondsSince1970)
                """
            ) { row in
                OccupiedGrain(
                    salon: row.text(0),
                    grain: row.integer(1),
                    resource: row.text(2),
                    owner: row.text(3)
                )
            }
        }
    }
}
