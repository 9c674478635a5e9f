import BookingStorage
import BookingStorageTestSupport
import Domain
import PostgreSQLTestSupport
import Testing

@testable import PostgreSQLStorage

/// The changes are made without waiting for the standby, which does not exist. So they are visible,
/// but would be lost with the server.
@Suite(
    "What a standby does not have yet",
    .enabled(if: TestServers.exist),
    .serialized,
    .timeLimit(.minutes(10))
)
struct UnreplicatedChangeTests {
    private let cluster: TestCluster
    /// A store whose changes wait for the standby.
    private let store: PostgreSQLBookingStore
    /// A store whose changes do not wait for the standby.
    private let hasty: PostgreSQLBookingStore

    init() async throws {
        cluster = try TestCluster()
        try cluster.start()
        store = try PostgreSQLBookingStore(
            url: cluster.url,
            newSalons: [StoreClients.salon()],
            waitTimeout: StoreClients.waitTimeout
        )
        let option = "&options=-csynchronous_commit%3Dlocal"
        hasty = try PostgreSQLBookingStore(
            url: cluster.url + option,
            waitTimeout: StoreClients.waitTimeout
        )
        try await requireStandby()
    }

    private func requireStandby() async throws {
        try TestServers.run("ALTER SYSTEM SET synchronous_standby_names = 'missing'", on: local)
        try await reload("missing")
    }

    private func reload(_ names: String) async throws {
        try TestServers.run("SELECT pg_reload_conf()::text", on: local)
        try await TestServers.wait(for: names, "SHOW synchronous_standby_names", on: local)
    }

    private var local: String { cluster.url + "&options=-csynchronous_commit%3Dlocal" }

    /// Checks that a call waits until a standby is no longer needed, and returns its result.
    private func afterReplication<Value: Sendable>(
        _ body: @escaping @Sendable (PostgreSQLBookingStore) async throws -> Value
    ) async throws -> Result<Value, Problem> {
        async let result = StoreClients.run(1) { [store] _ in try await body(store) }
        try await TestServers.wait(
            for: "1",
            "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'",
            on: local
        )
        try await releaseStandby()
        return await result[0]
    }

    private func releaseStandby() async throws {
        try TestServers.run("ALTER SYSTEM RESET synchronous_standby_names", on: local)
        try await reload("")
    }

    private func close() {
        store.close()
        hasty.close()
    }

    @Test("is not the result of a repeated request")
    func repeated() async throws {
        defer { close() }
        let booked = try await hasty.book(key: "k")
        let result = try await afterReplication { store in
            try await store.book(key: "k")
        }
        #expect(result.value == booked)
    }

    @Test("is not the reason why a key cannot be voided")
    func used() async throws {
        defer { close() }
        let booked = try await hasty.book(key: "k")
        let result = try await afterReplication { store in
            try await store.void(IdempotencyKey("k"), in: StoreClients.salonID)
        }
        #expect(result.problem == .keyUsed(booked), "the result is \(result)")
    }

    @Test("does not void a key")
    func voided() async throws {
        defer { close() }
        try await hasty.void(IdempotencyKey("k"), in: StoreClients.salonID)
        let result = try await afterReplication { store in
            try await store.void(IdempotencyKey("k"), in: StoreClients.salonID)
        }
        #expect(result.value != nil)
    }

    @Test("does not release a hold")
    func released() async throws {
        defer { close() }
        let hold = try await hasty.hold(
            StoreClients.booking(),
            seconds: 60,
            as: nil,
            check: StoreClients.check
        )
        try await hasty.release(hold: hold.id)
        let result = try await afterReplication { store in
            try await store.release(hold: hold.id)
        }
        #expect(result.value != nil)
    }

    @Test("is not in the feed of changes")
    func changes() async throws {
        defer { close() }
        try TestServers.run("UPDATE change_feed SET is_synchronous = true", on: local)
        let state = try TestServers.run("SELECT pg_current_xact_id()", on: local)
        let start = Int64(state[0][0]) ?? 0
        let booked = try await hasty.book()
        let result = try await afterReplication { store in
            let latest = try await store.changes(after: nil, limit: 0).cursor
            let cursor = ChangeCursor(epoch: latest.epoch, number: start)
            return try await store.changes(after: cursor, limit: 9)
        }
        #expect(try result.get().changes.map(\.element) == [.appointment(booked)])
    }

    @Test("is not in the change feed if the server that had it fails before the standby has it")
    func lost() async throws {
        defer { close() }
        try await releaseStandby()
        let start = try await store.changes(after: nil, limit: 0).cursor
        try await requireStandby()
        try TestServers.run("UPDATE change_feed SET is_synchronous = true", on: local)
        try await hasty.book()
        async let page = store.changes(after: start, limit: 9)
        let waiting = "FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
        try await TestServers.wait(for: "1", "SELECT count(*) \(waiting)", on: local)
        // Simulates that the next server lacks the booking.
        try TestServers.run("DELETE FROM appointments", on: local)
        let first = try #require(
            try TestServers.run("SELECT pid::text \(waiting)", on: local).first
        )
        try TestServers.run("SELECT pg_terminate_backend(\(first[0]))::text", on: local)
        try await TestServers.wait(
            for: "1",
            "SELECT count(*) \(waiting) AND pid <> \(first[0])",
            on: local
        )
        try await releaseStandby()
        #expect(try await page.changes == [])
    }
}
