import BookingStorage
import BookingStorageTestSupport
import Domain
import Testing

@testable import PostgreSQLStorage

@Suite(
    "A server of PostgreSQL that fails",
    .enabled(if: TestServers.exist),
    .serialized,
    .timeLimit(.minutes(3))
)
struct ServerFaultTests {
    private func openStore(_ url: String) throws -> PostgreSQLBookingStore {
        try PostgreSQLBookingStore(url: url, connections: 2, newSalons: [StoreClients.salon()])
    }

    private func failure<Value: Sendable>(
        _ body: @escaping @Sendable () async throws(StoreError) -> Value
    ) async -> StorageFailure? {
        await StoreClients.run(1) { _ throws(StoreError) in try await body() }[0].failure
    }

    /// Repeats a query until its only value is `expected`.
    private func wait(for expected: String, _ query: String, on url: String) throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while try TestServers.run(query, on: url) != [[expected]] {
            try #require(ContinuousClock.now < deadline, "\(query) is not \(expected)")
        }
    }

    @Test(
        "is unreachable until it runs again, and has what was confirmed",
        arguments: [
            TestCluster.StopMode.fast, .immediate,
        ]
    )
    func restarted(mode: TestCluster.StopMode) async throws {
        let cluster = try TestCluster()
        try cluster.start()
        let store = try openStore(cluster.url)
        defer { store.close() }
        let booked = try await store.book(key: "k")
        try cluster.stop(mode)
        let write = await failure { () throws(StoreError) in
            try await store.book(StoreClients.booking(3_600))
        }
        let read = await failure { () throws(StoreError) in try await store.checkHealth() }
        for failure in [write, read] {
            #expect(failure?.kind == .unreachable)
            #expect(failure?.isTransient == true)
        }
        try cluster.start()
        #expect(try await store.book(key: "k") == booked)
        try await store.book(StoreClients.booking(3_600))
        #expect(try await store.count() == 2)
    }

    @Test("is needed at the start")
    func downAtStart() throws {
        let cluster = try TestCluster()
        let error = #expect(throws: StorageFailure.self) { try openStore(cluster.url).close() }
        #expect(error?.kind == .unreachable)
    }

    @Test("is not used as long as it is a standby, and replaces the primary when it is promoted")
    func standby() async throws {
        let primary = try TestCluster()
        try primary.start()
        let standby = try TestCluster(standbyOf: primary)
        try standby.start()
        let store = try openStore(
            "postgresql:///postgres?host=\(standby.directory),\(primary.directory)&user=novablend"
        )
        defer { store.close() }
        let booked = try await store.book(key: "k")
        let refusal = #expect(throws: StorageFailure.self) {
            try PostgreSQLBookingStore.pendingMigrations(of: standby.url)
        }
        #expect(refusal?.kind == .unreachable)
        try wait(
            for: "t",
            "SELECT pg_current_wal_lsn() = replay_lsn FROM pg_stat_replication",
            on: primary.url
        )
        try primary.stop(.immediate)
        try standby.promote()
        #expect(try await store.book(key: "k") == booked)
        try await store.book(StoreClients.booking(3_600))
        #expect(
            try TestServers.run("SELECT count(*) FROM appointments", on: standby.url) == [["2"]]
        )
    }

    @Test("does not confirm what its standby may not have, unless the key shows that it has")
    func missingStandby() async throws {
        let cluster = try TestCluster()
        try cluster.start()
        let store = try openStore(cluster.url)
        defer { store.close() }
        let standby = "synchronous_standby_names"
        // Settings that the transactions of this function need not wait for.
        let admin = try Connection(url: cluster.url)
        try TestServers.run("SET synchronous_commit = local", on: admin)
        func set(_ change: String) throws {
            try TestServers.run("ALTER SYSTEM \(change)", on: admin)
            try TestServers.run("SELECT pg_reload_conf()::text", on: admin)
        }
        let waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
        try set("SET \(standby) = 'missing'")
        try wait(for: "missing", "SHOW \(standby)", on: cluster.url)

        // Without a key: the warning that the standby was skipped makes the booking doubtful.
        async let unkeyed = failure { () throws(StoreError) in try await store.book() }
        try wait(for: "1", waiting, on: cluster.url)
        try TestServers.run(
            "SELECT pg_cancel_backend(pid)::text FROM pg_stat_activity WHERE wait_event = 'SyncRep'",
            on: admin
        )
        #expect(await unkeyed?.kind == .inDoubt)
        #expect(try await store.count() == 1)

        // With a key: the booking is confirmed when the standby is no longer needed.
        async let keyed = store.book(StoreClients.booking(3_600), key: "k")
        try wait(for: "1", waiting, on: cluster.url)
        let first = try TestServers.run(
            "SELECT pid::text FROM pg_stat_activity WHERE wait_event = 'SyncRep'",
            on: admin
        )
        let pid = try #require(first.first?.first)
        try TestServers.run("SELECT pg_terminate_backend(\(pid))::text", on: admin)
        // The store looks for the key, and waits for the standby again.
        try wait(for: "1", "\(waiting) AND pid <> \(pid)", on: cluster.url)
        try set("RESET \(standby)")
        let booked = try await keyed
        #expect(try await store.appointment(booked.id) == booked)
        #expect(try await store.count() == 2)
    }
}
