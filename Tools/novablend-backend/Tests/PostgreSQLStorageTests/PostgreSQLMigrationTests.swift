import BookingStorage
import BookingStorageTestSupport
import Domain
import PostgreSQLTestSupport
import Testing

@testable import PostgreSQLStorage

@Suite(
    "Migrations of a PostgreSQL database",
    .enabled(if: TestServers.exist),
    .timeLimit(.minutes(10))
)
struct PostgreSQLMigrationTests {
    private let url: String

    init() throws { url = try TestServers.newSchema() }

    private var tables: [[String]] {
        get throws {
            try TestServers.run(
                "SELECT tablename::text FROM pg_tables WHERE schemaname = current_schema ORDER BY 1",
                on: url
            )
        }
    }

    @Test("are listed without a change, applied once, and then not needed")
    func once() throws {
        let all = Migration.all.map(\.number)
        #expect(try PostgreSQLBookingStore.pendingMigrations(of: url).map(\.number) == all)
        #expect(try tables == [])
        #expect(try PostgreSQLBookingStore.migrate(url).map(\.number) == all)
        #expect(try PostgreSQLBookingStore.migrate(url).isEmpty)
        #expect(try PostgreSQLBookingStore.pendingMigrations(of: url).isEmpty)
        #expect(try tables.contains(["appointments"]))
    }

    @Test("run once if ten stores start at the same time, and so does the addition of salons")
    func concurrent() async throws {
        let results = await StoreClients.run(10) { [url] _ in
            try PostgreSQLBookingStore(url: url, newSalons: [StoreClients.salon()]).close()
        }
        #expect(results.compactMap(\.failure) == [])
        let applied = try TestServers.run("SELECT number::text FROM novablend_migrations", on: url)
        #expect(applied == Migration.all.map { ["\($0.number)"] })
        #expect(try TestServers.run("SELECT version::text FROM salons", on: url) == [["1"]])
    }

    @Test("of a newer program are rejected, and nothing changes")
    func newer() throws {
        try PostgreSQLBookingStore.migrate(url)
        try TestServers.run(
            "INSERT INTO novablend_migrations (number, summary) VALUES (99, 'later')",
            on: url
        )
        for action in [
            { try PostgreSQLBookingStore(url: url).close() },
            { _ = try PostgreSQLBookingStore.pendingMigrations(of: url) },
        ] {
            let error = #expect(throws: StorageFailure.self) { try action() }
            #expect(error?.kind == .newerSchema)
        }
    }

    @Test("of a newer program stop a store that runs, which loses nothing that it has confirmed")
    func whileRunning() async throws {
        let store = try PostgreSQLBookingStore(url: url, newSalons: [StoreClients.salon()])
        defer { store.close() }
        let next = Migration(
            number: Migration.all.count + 1,
            summary: "later",
            statements: [
                "ALTER TABLE appointments ADD COLUMN later TEXT NOT NULL DEFAULT ''",
                "CREATE TABLE migration AS SELECT pg_current_xact_id() AS id",
            ]
        )
        try await store.book(StoreClients.booking(-3_600))
        async let results = StoreClients.run(400) { index in
            try await store.book(StoreClients.booking(Int64(index) * 3_600), key: "\(index)")
        }
        let connection = try Connection(url: url, answerTimeout: nil)
        let schema = Schema(connection: connection, migrations: Migration.all + [next])
        #expect(try schema.migrate(adding: []).map(\.number) == [next.number])
        let failures = await results.compactMap(\.failure)
        let kinds = Set(failures.map(\.kind))
        // On a busy machine, a booking can wait for the migration longer than for any lock.
        #expect(kinds.contains(.newerSchema) && kinds.isSubset(of: [.newerSchema, .locked]))
        let stored = try TestServers.run(
            """
            SELECT count(*), count(*) FILTER (WHERE change > migration.id)
            FROM appointments, migration
            """,
            on: url
        )
        #expect(stored == [["\(401 - failures.count)", "0"]])
        let health = await StoreClients.run(1) { _ in
            try await store.checkHealth()
        }
        #expect(health[0].failure?.kind == .newerSchema)
    }

    @Test("add the salons of a new database, which are not changes")
    func newSalons() async throws {
        let store = try PostgreSQLBookingStore(url: url, newSalons: [StoreClients.salon()])
        defer { store.close() }
        let start = try await store.changes(after: nil, limit: 0).cursor
        #expect(start.number == 0)
        #expect(try await store.salon(StoreClients.salonID)?.version == 1)
    }

    @Test("that fail leave nothing behind")
    func failing() throws {
        try TestServers.run("CREATE TABLE occupancy (a INT)", on: url)
        let error = #expect(throws: StorageFailure.self) {
            try PostgreSQLBookingStore.migrate(url)
        }
        #expect(error?.kind == .corrupted)
        #expect(try tables == [["novablend_migrations"], ["occupancy"]])
    }

    @Test("need a database with UTF-8")
    func encoding() throws {
        let shared = try TestServers.shared
        try TestServers.run(
            "CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'",
            on: shared
        )
        let error = #expect(throws: StorageFailure.self) {
            try PostgreSQLBookingStore.migrate("\(shared)&dbname=latin")
        }
        #expect(error?.description.contains("LATIN1") == true)
    }
}
