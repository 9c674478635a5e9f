import BookingStorage
import BookingStorageTestSupport
import Domain
import DomainTestSupport
import Glibc
import PostgreSQLTestSupport
import Synchronization
import Testing

@testable import PostgreSQLStorage

/// Asks a server many times on one connection, because a new connection takes most of the time. If it
/// fails, the next one is opened.
private final class Observer: Sendable {
    private let url: String
    private let connection = Mutex<Connection?>(nil)

    init(_ url: String) { self.url = url }

    /// Repeats a query until its only value is `expected`. The server may be recovering.
    func wait(for expected: String, _ query: String) async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while value(of: query) != expected {
            try #require(ContinuousClock.now < deadline, "\(query) is not \(expected)")
            await Task.yield()
        }
    }

    private func value(of query: String) -> String? {
        connection.withLock { connection in
            do {
                let opened = try connection ?? Connection(url: url)
                connection = opened
                return try TestServers.run(query, on: opened).first?.first
            } catch {
                connection = nil
                return nil
            }
        }
    }
}

/// The tests share a cluster that no other tests use, because each transaction of a cluster delays
/// the feeds of all its databases.
@Suite(
    "The changes in a booking store in PostgreSQL",
    .enabled(if: TestServers.exist),
    .serialized,
    .timeLimit(.minutes(10))
)
struct PostgreSQLChangeFeedTests {
    /// Processes are killed, but not the machine, so nothing needs to be on the disk.
    private static let settings = ["autovacuum=off", "fsync=off"]
    private static let cluster = Result {
        let cluster = try TestCluster()
        try cluster.start(settings)
        return cluster
    }

    /// Each has 20 random histories.
    private static let blocks: Range<UInt64> =
        0..<(getenv("NOVABLEND_LONG_TESTS") == nil ? 10 : 150)

    private let url: String

    init() throws { url = try TestServers.newSchema(on: Self.cluster.get().url) }

    private static let isIdle = """
        SELECT pg_snapshot_xmin(pg_current_snapshot()) = pg_snapshot_xmax(pg_current_snapshot())
        """

    /// Waits until no transaction runs that has an id.
    private func awaitFeed(_ url: String) async throws {
        try await TestServers.wait(for: "t", Self.isIdle, on: url)
    }

    private func openStore(_ url: String? = nil) throws -> PostgreSQLBookingStore {
        try PostgreSQLBookingStore(
            url: url ?? self.url,
            connections: 4,
            newSalons: [StoreClients.salon()]
        )
    }

    @Test("on a server", arguments: BookingStoreSpec.changeFeed)
    func onServer(spec: BookingStoreSpec) async throws {
        try await spec.check(awaitFeed: { [self] in try await awaitFeed(url) }) { [url] clock in
            try PostgreSQLBookingStore(
                url,
                4,
                waitTimeout: StoreClients.waitTimeout,
                clock: .test(clock),
                uptime: clock.uptime
            )
        }
    }

    @Test(
        "a copy that follows 20 random histories, with kills, from a random step on equals the lists",
        arguments: blocks
    )
    func histories(block: UInt64) async throws {
        let follows = Mutex(0)
        for seed in (block * 20)..<(block * 20 + 20) {
            let url = try TestServers.newSchema(on: Self.cluster.get().url)
            let observer = Observer(url)
            try await RandomHistory.check(
                seed: seed,
                steps: 40,
                followsChanges: true,
                awaitFeed: { [self] in
                    let count = follows.withLock {
                        $0 += 1
                        return $0
                    }
                    if count % 8 == 0 { try await endServerProcesses(of: url) }
                    if count % 256 == 2, let process = try serverProcess(of: url) {
                        #expect(kill(process, SIGKILL) == 0)
                    }
                    try await observer.wait(for: "t", Self.isIdle)
                }
            ) { clock in
                try PostgreSQLBookingStore(
                    url,
                    2,
                    waitTimeout: StoreClients.waitTimeout,
                    clock: .test(clock),
                    uptime: clock.uptime
                )
            }
            // Thousands of schemas would take gigabytes.
            try TestServers.run(
                """
                DO $$ BEGIN EXECUTE format('DROP SCHEMA %I CASCADE', current_schema); END $$
                """,
                on: url
            )
        }
    }

    /// Ends the processes of the server that a store uses, so that its connections fail when it uses
    /// them again.
    private func endServerProcesses(of url: String) async throws {
        let rows = try TestServers.run(
            "SELECT pid::text, pg_terminate_backend(pid)::text \(Self.processes)",
            on: url
        )
        // A thread of the store that had no connection may open one meanwhile.
        let ended = "pid IN (\((rows.compactMap(\.first) + ["0"]).joined(separator: ", ")))"
        try await TestServers.wait(
            for: "0",
            "SELECT count(*) \(Self.processes) AND \(ended)",
            on: url
        )
    }

    @Test("a transaction that runs delays later changes, so that its own are not skipped")
    func longTransaction() async throws {
        let store = try openStore()
        defer { store.close() }
        let first = try await store.book()
        try await awaitFeed(url)
        let start = try await store.changes(after: nil, limit: 0).cursor
        let other = try Connection(url: url)
        try TestServers.run("BEGIN", on: other)
        try TestServers.run(
            "UPDATE appointments SET version = 2, change = pg_current_xact_id()",
            on: other
        )
        var later: [StoredAppointment] = []
        for slot: Int64 in 1...3 {
            later.append(try await store.book(StoreClients.booking(slot * 3_600)))
            #expect(try await store.changes(after: start, limit: 9).cursor == start)
            #expect(try await store.changes(after: nil, limit: 0).cursor == start)
        }
        try TestServers.run("COMMIT", on: other)
        try await awaitFeed(url)
        var changed = first
        changed.version = 2
        let page = try await store.changes(after: start, limit: 9)
        #expect(page.changes.map(\.element) == ([changed] + later).map { .appointment($0) })
    }

    @Test("a transaction of 10,000 salons is read in pages, and nothing is repeated or skipped")
    func manySalons() async throws {
        let store = try openStore()
        defer { store.close() }
        var follower = try await ChangeFollower(store)
        let salons = (0..<10_000).map { number in
            var salon = StoreClients.salon()
            salon.id = SalonID(high: 2, low: UInt64(number))
            return salon
        }
        _ = try await store.importSalons(salons)
        try await awaitFeed(url)
        try await follower.follow(store, limit: 999)
        try await follower.compare(with: store)
        #expect(follower.salons.count == 10_001)
    }

    @Test("a deletion of 50 appointments is read in pages, whose positions do not name them")
    func manyDeletions() async throws {
        let clock = ManualClock(StoreClients.noon.advanced(bySeconds: -3_600))
        let store = try PostgreSQLBookingStore(
            url,
            2,
            [StoreClients.salon()],
            waitTimeout: StoreClients.waitTimeout,
            clock: .test(clock)
        )
        defer { store.close() }
        var ids: [String] = []
        for slot: Int64 in 0..<51 {
            ids.append(try await store.book(StoreClients.booking(slot * 3_600)).id)
        }
        try await awaitFeed(url)
        var follower = try await ChangeFollower(store)
        let start = try await store.changes(after: nil, limit: 0).cursor
        clock.advance(bySeconds: 30 * 86_400)
        let count = try await store.deleteAppointments(
            Array(ids.dropLast()),
            endedBefore: clock.now
        )
        #expect(count == 50)
        try await awaitFeed(url)
        let page = try await store.changes(after: start, limit: 7)
        #expect(page.cursor.element.hasPrefix("a"))
        #expect(ids.allSatisfy { !page.cursor.element.contains($0) })
        try await follower.follow(store, limit: 7)
        try await follower.compare(with: store)
        #expect(follower.appointments.keys.sorted() == ids.suffix(1))
    }

    @Test("a copy follows two stores while server processes are killed and the server recovers")
    func kills() async throws {
        let cluster = try TestCluster()
        try cluster.start(Self.settings)
        let url = cluster.url
        let stores = [try openStore(url), try openStore(url)]
        defer { for store in stores { store.close() } }
        var follower = try await ChangeFollower(stores[0])
        for round: Int64 in 0..<4 {
            async let results = StoreClients.run(80) { index in
                let slot = (round * 80 + Int64(index)) * 3_600
                let store = stores[index % 2]
                let booked = try await store.book(StoreClients.booking(slot), key: "\(slot)")
                if index % 3 > 0 { return booked }
                return try await store.change(booked.id, as: StoreClients.keyed("c\(slot)")) {
                    stored,
                    _ in
                    stored.status = .cancelled
                    return nil
                }
            }
            try await follow(&follower, stores[1])
            let process = try #require(try serverProcess(of: url))
            // Then the server ends all others and recovers.
            #expect(kill(process, SIGKILL) == 0)
            try await follow(&follower, stores[1])
            let confirmed = await results.compactMap(\.value)
            // The others were in progress for too long.
            #expect(!confirmed.isEmpty)
            try await awaitFeed(url)
            try await follow(&follower, stores[0])
            for stored in confirmed { #expect(follower.appointments[stored.id] == stored) }
            try await follower.compare(with: stores[0])
        }
    }

    /// Follows the changes. The server may be recovering.
    private func follow(
        _ follower: inout ChangeFollower,
        _ store: PostgreSQLBookingStore
    ) async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while true {
            do {
                return try await follower.follow(store, limit: 3)
            } catch let error as Problem {
                try #require(error.failure?.isTransient == true, "\(error)")
                try #require(ContinuousClock.now < deadline)
            }
        }
    }

    private static let processes = """
        FROM pg_stat_activity
        WHERE application_name = current_setting('application_name') AND pid <> pg_backend_pid()
        """

    /// A process of the server that a store uses.
    private func serverProcess(of url: String) throws -> Int32? {
        try TestServers.run("SELECT pid::text \(Self.processes) LIMIT 1", on: url).first.flatMap {
            Int32($0[0])
        }
    }

    @Test("a restart keeps the epoch, and each database has its own")
    func epochs() async throws {
        var epochs: [String] = []
        for url in [url, url, try TestServers.newSchema(on: Self.cluster.get().url)] {
            let store = try openStore(url)
            defer { store.close() }
            epochs.append(try await store.changes(after: nil, limit: 0).cursor.epoch)
        }
        #expect(epochs[0] == epochs[1] && epochs[1] != epochs[2])
        #expect(epochs.allSatisfy { $0.utf8.count == 16 })
    }

    @Test("rows that no longer exist do not make a position too old")
    func deletedRows() async throws {
        let store = try openStore()
        defer { store.close() }
        try await store.book()
        try await awaitFeed(url)
        let cursor = try await store.changes(after: nil, limit: 0).cursor
        try TestServers.run("DELETE FROM appointments", on: url)
        #expect(try await store.changes(after: cursor, limit: 9).cursor == cursor)
        #expect(try await store.changes(after: nil, limit: 0).cursor.number < cursor.number)
        let booked = try await store.book(StoreClients.booking(3_600))
        try await awaitFeed(url)
        let page = try await store.changes(after: cursor, limit: 9)
        #expect(page.changes.map(\.element) == [.appointment(booked)])
    }

    // MARK: Standbys

    /// Starts a primary and a standby, follows the changes of the primary, promotes the standby, and
    /// returns whether the position is still valid there.
    private func isValidAfterPromotion(synchronous: Bool) async throws -> Bool {
        let primary = try TestCluster()
        try primary.start()
        let standby = try TestCluster(standbyOf: primary)
        try standby.start()
        if synchronous {
            try TestServers.run("ALTER SYSTEM SET synchronous_standby_names = '*'", on: primary.url)
            try TestServers.run("SELECT pg_reload_conf()::text", on: primary.url)
            try await TestServers.wait(
                for: "sync",
                "SELECT sync_state FROM pg_stat_replication",
                on: primary.url
            )
        }
        let store = try openStore(
            "postgresql:///postgres?host=\(standby.directory),\(primary.directory)&user=novablend"
        )
        defer { store.close() }
        try await store.book()
        let cursor = try await store.changes(after: nil, limit: 0).cursor
        try await TestServers.wait(
            for: "t",
            "SELECT pg_current_wal_lsn() = replay_lsn FROM pg_stat_replication",
            on: primary.url
        )
        try primary.stop(.immediate)
        try standby.promote()
        let booked = try await store.book(StoreClients.booking(3_600), key: "k")
        try await awaitFeed(standby.url)
        let results = await StoreClients.run(1) { _ in
            try await store.changes(after: cursor, limit: 9)
        }
        if results[0].problem == .cursorTooOld { return false }
        let page = try results[0].get()
        #expect(page.changes.map(\.element).last == .appointment(booked))
        return true
    }

    @Test("a standby that has all changes keeps the positions of the primary")
    func synchronousStandby() async throws {
        #expect(try await isValidAfterPromotion(synchronous: true))
    }

    @Test("a standby that may lack changes makes the positions of the primary too old")
    func asynchronousStandby() async throws {
        #expect(try await !isValidAfterPromotion(synchronous: false))
    }
}
