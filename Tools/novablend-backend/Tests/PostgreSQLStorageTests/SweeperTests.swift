import BookingStorage
import BookingStorageTestSupport
import Domain
import DomainTestSupport
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
        let clock = ManualClock(StoreClients.noon.advanced(bySeconds: -3_600))
        let store = try PostgreSQLBookingStore(url, 2, [StoreClients.salon()], clock: .test(clock))
        defer { store.close() }
        try await store.book(key: "used")
        try await store.void(IdempotencyKey("voided"), in: nil)
        try await hold(store, at: 3_600)
        clock.advance(bySeconds: IdempotencyKey.retentionSeconds + 1)
        for index in 1..<Sweeper.interval {
            let seconds = IdempotencyKey.retentionSeconds + Int64(index) * 3_600
            try await store.book(StoreClients.booking(seconds), key: "k\(index)")
        }
        let expected = [
            "appointments": 64, "idempotency_keys": 63, "voided_keys": 0, "holds": 0,
            "hold_callers": 0, "occupancy": 63 * 6,
        ]
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
