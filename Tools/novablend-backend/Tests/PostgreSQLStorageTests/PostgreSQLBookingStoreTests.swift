import BookingStorage
import BookingStorageTestSupport
import Domain
import PostgreSQLTestSupport
import Testing

@testable import PostgreSQLStorage

@Suite(
    "A booking store in PostgreSQL",
    .enabled(if: TestServers.exist),
    .serialized,
    .timeLimit(.minutes(10))
)
struct PostgreSQLBookingStoreTests {
    @Test("on a server", arguments: BookingStoreSpec.all)
    func onServer(spec: BookingStoreSpec) async throws {
        let url = try TestServers.newSchema()
        try await spec.check { clock in
            try PostgreSQLBookingStore(
                url,
                waitTimeout: StoreClients.waitTimeout,
                clock: .test(clock),
                uptime: clock.uptime
            )
        }
    }

    @Test(
        "a random history has the same results as a simple model",
        arguments: 0..<10 as Range<UInt64>
    )
    func history(seed: UInt64) async throws {
        let url = try TestServers.newSchema()
        try await RandomHistory.check(seed: seed) { clock in
            try PostgreSQLBookingStore(
                url,
                2,
                waitTimeout: StoreClients.waitTimeout,
                clock: .test(clock),
                uptime: clock.uptime
            )
        } occupiedGrains: { now in
            try TestServers.run(
                """
                SELECT salon_id, grain, resource, owner FROM occupancy
                WHERE expires_at IS NULL OR expires_at > \(now.secondsSince1970)
                """,
                on: url
            ).map { row in
                OccupiedGrain(
                    salon: row[0],
                    grain: Int64(row[1]) ?? 0,
                    resource: row[2],
                    owner: row[3]
                )
            }
        }
    }
}
