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
        let results = await StoreClients.run(10) { [url] _ throws(StoreError) in
            do throws(StorageFailure) {
                try PostgreSQLBookingStore(url: url, newSalons: [StoreClients.salon()]).close()
            } catch {
                throw .unavailable(error)
            }
        }
        #expect(results.compactMap(\.failure) == [])
        let applied = try TestServers.run("SELECT number::text FROM novablend_migrations", on: url)
        #expect(applied == Migration.all.map { ["\($0.number)"] })
        #expect(try TestServers.run("SELECT version::text FROM salons", on: url) == [["1"]])
    }

    @Test("that ten stores run at the same time find the appointments of customers from before")
    func callers() async throws {
        try TestServers.run(
            """
            CREATE TABLE novablend_migrations (
                number INT PRIMARY KEY, summary TEXT NOT NULL,
                applied_at TIMESTAMPTZ NOT NULL DEFAULT now()
            )
            """,
            on: url
        )
        try TestServers.run(
            "INSERT INTO novablend_migrations (number, summary) VALUES (1, 'first')",
            on: url
        )
        for statement in Migration.all[0].statements { try TestServers.run(statement, on: url) }
        // As a program of that version, which may still run later.
        func insert(_ id: String, _ phone: String) throws {
            try TestServers.run(
                """
                INSERT INTO appointments (
                    salon_id, id, instant, offset_minutes, minutes, buffer_before, buffer_after,
                    busy_start, busy_end, status, version, phone, staff_assigned, seats
                ) VALUES (
                    '\(StoreClients.salonID)', '\(id)', 0, 0, 30, 0, 0, 0, 1800, 'booked', 1, '\(phone)',
                    false, 1
                )
                """,
                on: url
            )
        }
        try insert("a", "+49 (30) 1-2/3.4")
        try insert("b", "004930 1234")
        try insert("c", "030 1234")
        let results = await StoreClients.run(10) { [url] _ throws(StoreError) in
            do throws(StorageFailure) {
                try PostgreSQLBookingStore(url: url).close()
            } catch {
                throw .unavailable(error)
            }
        }
        #expect(results.compactMap(\.failure) == [])
        try insert("d", "+49-30-1234")
        let store = try PostgreSQLBookingStore(url: url)
        defer { store.close() }
        let found = try await store.appointments(
            after: nil,
            limit: 9,
            visibleTo: .customer(phone: "49301234")
        )
        #expect(found.map(\.id) == ["a", "b", "d"])
        #expect(found.allSatisfy { $0.booking.caller == "49301234" })
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
        async let results = StoreClients.run(400) { index throws(StoreError) in
            try await store.book(StoreClients.booking(Int64(index) * 3_600), key: "\(index)")
        }
        let connection = try Connection(url: url, answerTimeout: nil)
        let schema = Schema(connection: connection, migrations: Migration.all + [next])
        #expect(try schema.migrate(adding: []).map(\.number) == [next.number])
        let failures = await results.compactMap(\.failure)
        #expect(Set(failures.map(\.kind)) == [.newerSchema])
        let stored = try TestServers.run(
            """
            SELECT count(*), count(*) FILTER (WHERE change > migration.id)
            FROM appointments, migration
            """,
            on: url
        )
        #expect(stored == [["\(401 - failures.count)", "0"]])
        let health = await StoreClients.run(1) { _ throws(StoreError) in
            try await store.checkHealth()
        }
        #expect(health[0].failure?.kind == .newerSchema)
    }

    @Test("number the changes of existing rows with 0")
    func changeFeed() async throws {
        let connection = try Connection(url: url)
        let first = Schema(connection: connection, migrations: Array(Migration.all.prefix(1)))
        #expect(try first.migrate(adding: [StoreClients.salon()]).map(\.number) == [1])
        let store = try PostgreSQLBookingStore(url: url)
        defer { store.close() }
        let start = try await store.changes(after: nil, limit: 0).cursor
        #expect(start.number == 0)
        try await store.book()
        #expect(try TestServers.run("SELECT change FROM salons", on: url) == [["0"]])
        let changes = "SELECT change > '0' AND change < pg_current_xact_id() FROM appointments"
        #expect(try TestServers.run(changes, on: url) == [["t"]])
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
