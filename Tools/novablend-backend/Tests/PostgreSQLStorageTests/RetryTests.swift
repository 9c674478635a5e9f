import BookingStorage
import BookingStorageTestSupport
import Domain
import PostgreSQLTestSupport
import Synchronization
import Testing

@testable import PostgreSQLStorage

@Suite(
    "A transaction in PostgreSQL that fails",
    .enabled(if: TestServers.exist),
    .timeLimit(.minutes(10))
)
struct RetryTests {
    private let url: String
    private let store: PostgreSQLBookingStore

    init() throws {
        url = try TestServers.newSchema()
        store = try PostgreSQLBookingStore(url: url, newSalons: [StoreClients.salon()])
    }

    @Test(
        "is repeated after a serialization failure, a deadlock, or a lock timeout",
        arguments: ["40001", "40P01", "55P03"]
    )
    func transient(state: String) async throws {
        try TestServers.addFault("RAISE EXCEPTION USING ERRCODE = '\(state)'", count: 2, on: url)
        defer { store.close() }
        let booked = try await store.book()
        #expect(try await store.appointments(after: nil, limit: 9) == [booked])
    }

    @Test("is not repeated after a different error, and leaves nothing behind")
    func permanent() async throws {
        try TestServers.addFault("RAISE EXCEPTION 'no' USING ERRCODE = 'P0001'", on: url)
        defer { store.close() }
        let result = await StoreClients.run(1) { _ in
            try await store.book(key: "k")
        }
        #expect(result[0].failure?.kind == .other)
        #expect(result[0].failure?.description.contains("P0001") == true)
        #expect(try await store.count() == 0)
        try await store.book(key: "k")
    }

    @Test("fails as locked if the failures do not end")
    func endless() async throws {
        try TestServers.addFault(
            "RAISE EXCEPTION USING ERRCODE = '40001'",
            count: 1_000_000,
            on: url
        )
        defer { store.close() }
        let result = await StoreClients.run(1) { _ in try await store.book() }
        #expect(result[0].failure?.kind == .locked)
        #expect(result[0].failure?.isTransient == true)
        #expect(try await store.count() == 0)
    }

    @Test("is repeated if its connection is killed before the COMMIT")
    func killed() async throws {
        try TestServers.addFault(TestServers.kill, on: url)
        defer { store.close() }
        let booked = try await store.book()
        #expect(try await store.appointments(after: nil, limit: 9) == [booked])
    }

    @Test("with a key is repeated if its connection is killed during the COMMIT")
    func killedWithKey() async throws {
        try TestServers.addFault(TestServers.kill, atCommit: true, on: url)
        defer { store.close() }
        let booked = try await store.book(key: "k")
        #expect(try await store.appointments(after: nil, limit: 9) == [booked])
        #expect(try await store.book(key: "k") == booked)
    }

    @Test("without a key is in doubt if its connection is killed during the COMMIT")
    func killedWithoutKey() async throws {
        try TestServers.addFault(TestServers.kill, atCommit: true, on: url)
        defer { store.close() }
        let result = await StoreClients.run(1) { _ in try await store.book() }
        #expect(result[0].failure?.kind == .inDoubt)
        #expect(result[0].failure?.isTransient == false)
        #expect(try await store.count() == 0)
    }

    @Test("is not committed if its connection is killed between two of its statements")
    func killedBetweenStatements() async throws {
        defer { store.close() }
        try await store.book(StoreClients.booking(3_600))
        let runs = Mutex(0)
        let schema = try TestServers.run("SELECT current_schema", on: url)[0][0]
        let booked = try await store.book(StoreClients.booking(), as: nil) { [url] salon in
            if runs.withLock({
                $0 += 1; return $0
            }) == 1 {
                // The transactions of this schema, which has locked its table of salons.
                try TestServers.run(
                    """
                    SELECT pg_terminate_backend(pid) FROM pg_locks
                    WHERE relation = '\(schema).salons'::regclass AND pid <> pg_backend_pid()
                    """,
                    on: url
                )
            }
            return try StoreClients.check(salon)
        }
        #expect(runs.withLock { $0 } == 2)
        #expect(try await store.appointments(after: nil, limit: 9).count == 2)
        #expect(try await store.appointment(booked.id) == booked)
    }

    @Test("that waits for a lock fails as locked, and succeeds later")
    func locked() async throws {
        defer { store.close() }
        let other = try Connection(url: url)
        try TestServers.run("SET idle_in_transaction_session_timeout = 0", on: other)
        try TestServers.run("BEGIN", on: other)
        try TestServers.run("LOCK TABLE occupancy IN EXCLUSIVE MODE", on: other)
        let result = await StoreClients.run(1) { _ in
            try await store.book(key: "k")
        }
        #expect(result[0].failure?.kind == .locked)
        // Reads do not wait.
        #expect(try await store.count() == 0)
        try TestServers.run("ROLLBACK", on: other)
        try await store.book(key: "k")
    }
}
