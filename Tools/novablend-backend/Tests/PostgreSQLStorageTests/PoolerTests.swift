import BookingStorage
import BookingStorageTestSupport
import PostgreSQLTestSupport
import Testing

@testable import PostgreSQLStorage

@Suite(
    "PgBouncer in front of a server",
    .enabled(if: TestPooler.isInstalled),
    .serialized,
    .timeLimit(.minutes(10))
)
struct PoolerTests {
    private let cluster: TestCluster

    init() throws {
        cluster = try TestCluster()
        try cluster.start(["fsync=off"])
    }

    private func openStore(_ url: String, _ connections: Int) throws -> PostgreSQLBookingStore {
        try PostgreSQLBookingStore(
            url: url,
            connections: connections,
            newSalons: [StoreClients.salon()]
        )
    }

    @Test(
        "is refused by its name if it shares connections between transactions",
        arguments: ["transaction", "statement"],
        [1, 4]
    )
    func shared(mode: String, connections: Int) async throws {
        // Also once the tables exist.
        try openStore(cluster.url, 1).close()
        let pooler = try await TestPooler(cluster, mode: mode, connections: connections)
        for _ in 0..<2 {
            for open in [
                { try openStore(pooler.url, 2).close() },
                { _ = try PostgreSQLBookingStore.pendingMigrations(of: pooler.url) },
            ] {
                let failure = #expect(throws: StorageFailure.self) { try open() }
                #expect(failure?.kind == .other)
                let message = failure?.description ?? ""
                #expect(message.contains("PgBouncer") && message.contains("pool_mode = session"))
            }
        }
    }

    @Test("serves a store that wants more connections than it has", arguments: [1, 2])
    func smallPool(connections: Int) async throws {
        let pooler = try await TestPooler(cluster, mode: "session", connections: connections)
        let store = try openStore(pooler.url, 8)
        defer { store.close() }
        let results = await StoreClients.run(100) { index in
            try await store.checkHealth()
            try await store.book(StoreClients.booking(Int64(index) * 3_600), key: "\(index)")
        }
        #expect(results.compactMap(\.value).count == 100)
        #expect(try await store.count() == 100)
    }

    @Test("that gives no connection is reported as the reason, until it does")
    func fullPool() async throws {
        let pooler = try await TestPooler(cluster, mode: "session", connections: 2)
        let store = try openStore(pooler.url, 2)
        defer { store.close() }
        // The store opens its connections when it needs them.
        var others = try (0..<2).map { _ in try Connection(url: pooler.url) }
        for other in others { try TestServers.run("SELECT 1::text", on: other) }
        let results = await StoreClients.run(20) { index in
            if index % 2 == 0 { return try await store.checkHealth() }
            _ = try await store.book(StoreClients.booking(Int64(index) * 3_600))
        }
        for result in results {
            #expect(result.failure?.kind == .unreachable)
            #expect(result.failure?.description.contains("PgBouncer") == true)
        }
        let atStart = #expect(throws: StorageFailure.self) { try openStore(pooler.url, 2).close() }
        #expect(atStart?.kind == .unreachable)
        #expect(atStart?.description.contains("PgBouncer") == true)
        others = []
        try await store.book()
        #expect(try await store.count() == 1)
        try await store.checkHealth()
    }
}
