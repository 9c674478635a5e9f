import BookingStorage
import BookingStorageTestSupport
import Domain
import PostgreSQLTestSupport
import Synchronization
import Testing

@testable import PostgreSQLStorage

@Suite(
    "Calls that PostgreSQL does not answer",
    .enabled(if: TestServers.exist),
    .serialized,
    .timeLimit(.minutes(10))
)
struct BlockedCallTests {
    private func openStore(
        _ url: String,
        connections: Int = 4,
        waitTimeout: Duration = StoreClients.waitTimeout
    ) throws -> PostgreSQLBookingStore {
        try PostgreSQLBookingStore(
            url: url,
            connections: connections,
            newSalons: [StoreClients.salon()],
            waitTimeout: waitTimeout
        )
    }

    private func run(_ statements: [String], on connection: Connection) throws {
        for statement in statements { try TestServers.run(statement, on: connection) }
    }

    @Test(
        "because of a lock do not delay those that need no lock",
        arguments: [
            "LOCK TABLE appointments IN ACCESS EXCLUSIVE MODE",
            "LOCK TABLE occupancy IN EXCLUSIVE MODE",
            "SELECT id FROM salons FOR UPDATE",
        ]
    )
    func lock(statement: String) async throws {
        let url = try TestServers.newSchema()
        let store = try openStore(url)
        defer { store.close() }
        let other = try Connection(url: url)
        try run(
            ["SET idle_in_transaction_session_timeout = 0", "BEGIN", statement],
            on: other
        )
        let locksReads = statement.contains("ACCESS EXCLUSIVE")
        let ended = Mutex(0)
        async let blocked = StoreClients.run(60) { index in
            defer { ended.withLock { $0 += 1 } }
            if index % 2 == 0 || !locksReads {
                try await store.book(StoreClients.booking(Int64(index) * 3_600), key: "\(index)")
            } else {
                _ = try await store.count()
            }
        }
        // All connections have met the lock, and half of them wait for it.
        while store.pool.waitingCount < 58 { await Task.yield() }
        for _ in 0..<20 {
            #expect(try await store.salon(StoreClients.salonID) != nil)
            try await store.checkHealth()
        }
        #expect(ended.withLock { $0 } == 0)
        try run(["ROLLBACK"], on: other)
        #expect(await blocked.compactMap(\.value).count == 60)
        #expect(try await store.count() == (locksReads ? 30 : 60))
    }

    @Test("because of a lock fail as locked when their time is up")
    func lockTimeout() async throws {
        let url = try TestServers.newSchema()
        let store = try openStore(url, waitTimeout: .seconds(1))
        defer { store.close() }
        let other = try Connection(url: url)
        try run(
            [
                "SET idle_in_transaction_session_timeout = 0", "BEGIN",
                "LOCK TABLE appointments IN ACCESS EXCLUSIVE MODE",
            ],
            on: other
        )
        let results = await StoreClients.run(40) { index in
            switch index % 3 {
            case 0: try await store.book(StoreClients.booking(Int64(index) * 3_600))
            case 1: _ = try await store.count()
            default: _ = try await store.changes(after: nil, limit: 0)
            }
        }
        let failures = results.compactMap(\.failure)
        #expect(failures.count == 40 && failures.allSatisfy(\.isTransient))
        // On a busy machine, some have not begun when their time is up.
        #expect(failures.contains { $0.kind == .locked })
        try run(["ROLLBACK"], on: other)
        #expect(try await store.count() == 0)
    }

    @Test("because the server is stopped fail when their time is up, and succeed when it goes on")
    func stoppedServer() async throws {
        let cluster = try TestCluster()
        try cluster.start()
        let store = try openStore(cluster.url, connections: 2, waitTimeout: .seconds(2))
        defer { store.close() }
        func bookAll() async -> [Result<Int, Problem>] {
            await StoreClients.run(40) { index in
                let booking = StoreClients.booking(Int64(index) * 3_600)
                _ = try await store.book(booking, key: "\(index)")
                return index
            }
        }
        try await store.checkHealth()
        try cluster.suspend()
        let reads = await StoreClients.run(10) { index in
            if index % 2 == 0 { try await store.checkHealth() } else { _ = try await store.count() }
        }
        let kinds = Set(reads.compactMap(\.failure).map(\.kind))
        #expect(kinds.isSubset(of: [.unreachable, .overloaded]))
        let writes = await bookAll()
        #expect((reads.compactMap(\.failure) + writes.compactMap(\.failure)).count == 50)
        try cluster.resume()
        // What was not confirmed was not made, or is found by its key.
        var booked: Set<Int> = []
        while booked.count < 40 { booked.formUnion(await bookAll().compactMap(\.value)) }
        #expect(try await store.count() == 40)
    }

    @Test("while they commit are in doubt when their time is up")
    func stoppedCommit() async throws {
        let cluster = try TestCluster()
        try cluster.start()
        let store = try openStore(cluster.url, waitTimeout: .seconds(2))
        defer { store.close() }
        let local = cluster.url + "&options=-csynchronous_commit%3Dlocal"
        let names = "synchronous_standby_names"
        for statement in ["ALTER SYSTEM SET \(names) = 'missing'", "SELECT pg_reload_conf()::text"]
        {
            try TestServers.run(statement, on: local)
        }
        try await TestServers.wait(for: "missing", "SHOW \(names)", on: local)
        let results = await StoreClients.run(4) { index in
            let key = index % 2 == 0 ? "\(index)" : nil
            try await store.book(StoreClients.booking(Int64(index) * 3_600), key: key)
        }
        #expect(Set(results.map { $0.failure?.kind }) == [.inDoubt])
    }

    @Test("are not made after their callers were told that they were not")
    func lateCommit() async throws {
        let url = try TestServers.newSchema()
        let store = try openStore(url, connections: 1, waitTimeout: .seconds(1))
        defer { store.close() }
        let isAnswered = Mutex(false)
        let results = await StoreClients.run(1) { _ in
            defer { isAnswered.withLock { $0 = true } }
            _ = try await store.book(StoreClients.booking(), as: nil) { salon in
                // The rules take longer than the call may.
                while !isAnswered.withLock({ $0 }) {}
                return try StoreClients.check(salon)
            }
        }
        #expect(results[0].failure?.kind == .unreachable)
        #expect(try await store.count() == 0)
    }

    @Test("take as long as they need if the store does not limit them")
    func unlimited() async throws {
        let url = try TestServers.newSchema()
        let store = try PostgreSQLBookingStore(
            url: url,
            newSalons: [StoreClients.salon()],
            waitTimeout: .milliseconds(200),
            limitsCalls: false
        )
        defer { store.close() }
        try TestServers.addFault("PERFORM pg_sleep(1)", on: url)
        try await store.book()
        #expect(try await store.count() == 1)
    }

    @Test("because the role may only read are announced by the health check")
    func role() async throws {
        let url = try TestServers.newSchema()
        try openStore(url).close()
        let schema = try TestServers.run("SELECT current_schema", on: url)[0][0]
        let role = "\(schema)_role"
        func run(_ statements: String...) throws {
            for statement in statements { try TestServers.run(statement, on: url) }
        }
        try run(
            "CREATE ROLE \(role) LOGIN",
            "GRANT USAGE ON SCHEMA \(schema) TO \(role)",
            "GRANT SELECT ON ALL TABLES IN SCHEMA \(schema) TO \(role)"
        )
        let store = try openStore(url.replacing("user=novablend", with: "user=\(role)"))
        defer { store.close() }
        func isReady() async -> Bool {
            let result = await StoreClients.run(1) { _ in
                try await store.checkHealth()
            }
            #expect(result[0].value != nil || result[0].failure?.kind == .readOnly)
            return result[0].value != nil
        }
        #expect(try await store.count() == 0)
        #expect(await !isReady())
        // Exactly what a booking needs.
        let privileges = [
            ("appointments", "INSERT"), ("appointments", "UPDATE"), ("audit_log", "INSERT"),
            ("idempotency_keys", "INSERT"), ("idempotency_keys", "UPDATE"),
            ("occupancy", "INSERT"), ("occupancy", "UPDATE"), ("occupancy", "DELETE"),
            ("salons", "UPDATE"),
        ]
        for (table, privilege) in privileges {
            #expect(await !isReady())
            try run("GRANT \(privilege) ON \(table) TO \(role)")
        }
        #expect(await isReady())
        let booked = try await store.book(key: "k")
        _ = try await store.change(booked.id, as: nil) { stored, _ in
            stored.status = .cancelled
            return nil
        }
        for (table, privilege) in privileges {
            try run("REVOKE \(privilege) ON \(table) FROM \(role)")
            #expect(await !isReady())
            try run("GRANT \(privilege) ON \(table) TO \(role)")
        }
        try run("DROP OWNED BY \(role)", "DROP ROLE \(role)")
    }

    @Test("because sessions only read are announced by the health check")
    func readOnlySessions() async throws {
        let cluster = try TestCluster()
        try cluster.start()
        let store = try openStore(cluster.url)
        defer { store.close() }
        try await store.checkHealth()
        let admin = try Connection(url: cluster.url)
        func set(_ value: String) async throws {
            try run(
                [
                    "SET default_transaction_read_only = off",
                    "ALTER SYSTEM SET default_transaction_read_only = \(value)",
                    "SELECT pg_reload_conf()::text",
                ],
                on: admin
            )
        }
        try await set("on")
        var kinds: Set<StorageFailure.Kind?> = [nil]
        while kinds == [nil] {
            let result = await StoreClients.run(1) { _ in
                try await store.checkHealth()
            }
            kinds = [result[0].failure?.kind]
        }
        #expect(kinds == [.readOnly])
        try await set("off")
    }
}
