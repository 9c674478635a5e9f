import BookingStorage
import BookingStorageTestSupport
import Domain
import Glibc
import PostgreSQLTestSupport
import SystemTestSupport
import Testing

@testable import PostgreSQLStorage

@Suite(
    "A server of PostgreSQL that fails",
    .enabled(if: TestServers.exist),
    .serialized,
    .timeLimit(.minutes(10))
)
struct ServerFaultTests {
    private func openStore(
        _ url: String,
        waitTimeout: Duration = PostgreSQLBookingStore.defaultWaitTimeout
    ) throws -> PostgreSQLBookingStore {
        try PostgreSQLBookingStore(
            url: url,
            connections: 2,
            newSalons: [StoreClients.salon()],
            waitTimeout: waitTimeout
        )
    }

    private func failure<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async -> StorageFailure? {
        await StoreClients.run(1) { _ in try await body() }[0].failure
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
        let write = await failure {
            try await store.book(StoreClients.booking(3_600))
        }
        let read = await failure { try await store.checkHealth() }
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
        try await TestServers.wait(
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
        try await TestServers.wait(for: "missing", "SHOW \(standby)", on: cluster.url)

        // Without a key: the warning that the standby was skipped makes the booking doubtful.
        async let unkeyed = failure { try await store.book() }
        try await TestServers.wait(for: "1", waiting, on: cluster.url)
        try TestServers.run(
            "SELECT pg_cancel_backend(pid)::text FROM pg_stat_activity WHERE wait_event = 'SyncRep'",
            on: admin
        )
        #expect(await unkeyed?.kind == .inDoubt)
        #expect(try await store.count() == 1)

        // With a key: the booking is confirmed when the standby is no longer needed.
        async let keyed = store.book(StoreClients.booking(3_600), key: "k")
        try await TestServers.wait(for: "1", waiting, on: cluster.url)
        let first = try TestServers.run(
            "SELECT pid::text FROM pg_stat_activity WHERE wait_event = 'SyncRep'",
            on: admin
        )
        let pid = try #require(first.first?.first)
        try TestServers.run("SELECT pg_terminate_backend(\(pid))::text", on: admin)
        // The store looks for the key, and waits for the standby again.
        try await TestServers.wait(for: "1", "\(waiting) AND pid <> \(pid)", on: cluster.url)
        try set("RESET \(standby)")
        let booked = try await keyed
        #expect(try await store.appointment(booked.id) == booked)
        #expect(try await store.count() == 2)
    }

    @Test("and is replaced while clients book loses and repeats nothing")
    func promotion() async throws {
        let primary = try TestCluster()
        try primary.start()
        let standby = try TestCluster(standbyOf: primary)
        try standby.start()
        try TestServers.run("ALTER SYSTEM SET synchronous_standby_names = '*'", on: primary.url)
        try TestServers.run("SELECT pg_reload_conf()::text", on: primary.url)
        let state = "SELECT sync_state FROM pg_stat_replication"
        try await TestServers.wait(for: "sync", state, on: primary.url)
        let url =
            "postgresql:///postgres?host=\(primary.directory),\(standby.directory)&user=novablend"
        let stores = [try openStore(url), try openStore(url)]
        defer { for store in stores { store.close() } }
        async let results = StoreClients.run(400) { index in
            let booking = StoreClients.booking(Int64(index) * 3_600)
            return (index, try await stores[index % 2].book(booking, key: "\(index)"))
        }
        while try await stores[0].count() < 20 {}
        try primary.stop(.immediate)
        try standby.promote()

        let confirmed = Dictionary(uniqueKeysWithValues: await results.compactMap(\.value))
        let failures = await results.compactMap(\.failure)
        #expect(confirmed.count + failures.count == 400)
        #expect(Set(failures.map(\.kind)).isSubset(of: [.unreachable, .overloaded, .inDoubt]))
        let stored = try await stores[0].appointments(after: nil, limit: 1_000)
        #expect(Set(confirmed.values).isSubset(of: stored))
        // Only a booking in doubt may have been made without a confirmation.
        #expect(stored.count - confirmed.count <= failures.count { $0.kind == .inDoubt })
        let repeated = await StoreClients.run(400) { index in
            let booking = StoreClients.booking(Int64(index) * 3_600)
            return (index, try await stores[index % 2].book(booking, key: "\(index)"))
        }.compactMap(\.value)
        #expect(repeated.count == 400)
        #expect(repeated.allSatisfy { confirmed[$0.0] == nil || confirmed[$0.0] == $0.1 })
        #expect(try await stores[0].count() == 400)
    }

    @Test(
        "because its disk is full loses nothing that it has confirmed, and goes on with more space",
        .enabled(if: SmallDisk.isAllowed)
    )
    func fullDisk() async throws {
        let disk = try SmallDisk(size: "160m", mode: "1777")
        let cluster = try TestCluster(in: disk.directory.path)
        try cluster.start()
        let store = try openStore(cluster.url, waitTimeout: StoreClients.waitTimeout)
        defer { store.close() }
        let ballast = creat(disk.directory.file("ballast"), 0o600)
        defer { close(ballast) }
        // All but half a megabyte.
        var size = 0
        while posix_fallocate(ballast, size, 256 << 10) == 0 { size += 256 << 10 }
        #expect(ftruncate(ballast, size - (512 << 10)) == 0)
        let results = await StoreClients.run(2_000) { index in
            var booking = StoreClients.booking(Int64(index) * 3_600)
            booking.note = String(repeating: "n", count: 2_000)
            return try await store.book(booking)
        }
        let booked = results.compactMap(\.value)
        let failures = results.compactMap(\.failure)
        #expect(!booked.isEmpty && booked.count + failures.count == 2_000)
        #expect(Set(failures.map(\.kind)) == [.full])
        #expect(Set(try await store.appointments(after: nil, limit: 3_000)) == Set(booked))
        #expect(ftruncate(ballast, 0) == 0)
        try await store.book(StoreClients.booking(-3_600))
        #expect(try await store.count() == booked.count + 1)
        try cluster.stop(.immediate)
    }
}
