import BookingStorage
import BookingStorageTestSupport
import Domain
import PostgreSQLTestSupport
import Testing

@testable import PostgreSQLStorage

@Suite(
    "Expired rows in PostgreSQL",
    .enabled(if: TestServers.exist),
    .timeLimit(.minutes(10))
)
struct SweeperTests {
    @Test("are deleted after a number of bookings, and others are not")
    func deletion() async throws {
        let url = try TestServers.newSchema()
        let clock = TestClock(StoreClients.noon.advanced(bySeconds: -3_600))
        let store = try open(url, clock)
        defer { store.close() }
        try await observe(store, clock)
        try await store.book(key: "used")
        try await store.void(IdempotencyKey("voided"), in: nil)
        try await hold(store, at: 3_600)
        clock.advance(bySeconds: IdempotencyKey.retentionSeconds + 1)
        // The last booking triggers the deletion, when no other booking of the salon is in
        // progress.
        for index in 2..<Sweeper.interval {
            let seconds = IdempotencyKey.retentionSeconds + Int64(index) * 3_600
            try await store.book(StoreClients.booking(seconds), key: "k\(index)")
        }
        try await expectRows(
            [
                "appointments": 63, "idempotency_keys": 62, "voided_keys": 0, "holds": 0,
                "hold_callers": 0, "occupancy": 62 * 6,
            ],
            url
        )
    }

    @Test("remain while the clock is not steady")
    func jump() async throws {
        let url = try TestServers.newSchema()
        let clock = TestClock(StoreClients.noon.advanced(bySeconds: -3_600))
        let store = try open(url, clock)
        defer { store.close() }
        try await observe(store, clock)
        try await store.book(key: "used")
        try await hold(store, at: 3_600)
        clock.jump(bySeconds: IdempotencyKey.retentionSeconds + 1)
        for index in 2..<Sweeper.interval {
            try await store.book(StoreClients.booking(Int64(index) * 3_600), key: "k\(index)")
        }
        // The sweep records the time in the transaction in which it would delete.
        let seen = "SELECT seen_at::text FROM clock"
        let deadline = ContinuousClock.now + .seconds(60)
        while try TestServers.run(seen, on: url) != [["\(clock.now.secondsSince1970)"]] {
            try #require(ContinuousClock.now < deadline)
        }
        #expect(try TestServers.run("SELECT wait::text FROM clock", on: url) == [["86400"]])
        try await expectRows(
            [
                "appointments": 63, "idempotency_keys": 63, "holds": 1, "hold_callers": 1,
                "occupancy": 64 * 6,
            ],
            url
        )
    }

    @Test("of salons are left while a booking may have read them")
    func locked() async throws {
        let url = try TestServers.newSchema()
        let clock = TestClock(StoreClients.noon)
        let store = try open(url, clock)
        defer { store.close() }
        try await store.book(key: "k")
        let monitor = ClockMonitor(.init(time: clock.now, wait: 0), uptime: clock.uptime)
        clock.advance(bySeconds: 86_400)
        let salon = StoreClients.salon().id
        func sweep() throws -> Bool {
            let sweeping = WriteTransaction(
                try Connection(url: url),
                DecodedSalonCache(),
                clock: clock.now
            )
            defer { try? sweeping.connection.run(Query<Void>(running: .commit)) }
            return try sweeping.sweep([salon], monitor)
        }
        let booking = try Connection(url: url)
        _ = try booking.run(
            Query<Void>(running: .begin),
            SalonRows.use(.salon(salon), isSerialized: false, now: clock.now, DecodedSalonCache())
        )
        #expect(try !sweep())
        try await expectRows(["occupancy": 6], url)
        try booking.run(Query<Void>(running: .commit))
        let full = WriteTransaction.grainsPerSweep
        try TestServers.run(
            """
            INSERT INTO occupancy SELECT '\(salon)', grain, 's', 'a', NULL
            FROM generate_series(1, \(full - 1)) AS grain
            """,
            on: url
        )
        #expect(try sweep())
        try await expectRows(["occupancy": 5], url)
        #expect(try !sweep())
        try await expectRows(["occupancy": 0], url)
    }

    private func open(_ url: String, _ clock: TestClock) throws -> PostgreSQLBookingStore {
        try PostgreSQLBookingStore(
            url,
            2,
            [StoreClients.salon()],
            clock: .test(clock),
            uptime: clock.uptime
        )
    }

    /// Lets a day pass, after which the clock is steady.
    private func observe(_ store: PostgreSQLBookingStore, _ clock: TestClock) async throws {
        #expect(try await !store.isClockSteady())
        clock.advance(bySeconds: 86_400)
        clock.jump(bySeconds: -86_400)
        #expect(try await store.isClockSteady())
    }

    /// Waits until the tables have these numbers of rows.
    private func expectRows(_ expected: [String: Int], _ url: String) async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        var counts: [String: Int] = [:]
        while counts != expected, ContinuousClock.now < deadline {
            for table in expected.keys {
                let rows = try TestServers.run("SELECT count(*)::text FROM \(table)", on: url)
                counts[table] = Int(rows[0][0])
            }
        }
        #expect(counts == expected)
    }

    private func hold(_ store: PostgreSQLBookingStore, at seconds: Int64) async throws {
        _ = try await store.hold(
            StoreClients.booking(seconds),
            seconds: 300,
            check: StoreClients.check
        )
    }
}
