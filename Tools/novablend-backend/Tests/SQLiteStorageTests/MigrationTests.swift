import BookingStorage
import BookingStorageTestSupport
import Domain
import DomainTestSupport
import Testing

@testable import SQLiteStorage

@Suite("Migrations", .timeLimit(.minutes(10)))
struct MigrationTests {
    /// The migrations of a later version of the program.
    private static let later =
        Migration.all + [
            Migration(
                number: Migration.all.count + 1,
                summary: "Add a column",
                statements: ["ALTER TABLE salons ADD COLUMN later TEXT NOT NULL DEFAULT 'x'"]
            ),
            Migration(
                number: Migration.all.count + 2,
                summary: "Add a table",
                statements: ["CREATE TABLE later (a INTEGER)", "INSERT INTO later VALUES (1)"]
            ),
        ]

    private func open(_ path: String, newSalons: [Salon] = []) throws -> SQLiteBookingStore {
        let clock = ManualClock(Timestamp(secondsSince1970: 1_900_000_002))
        return try SQLiteBookingStore(path: path, clock: clock, newSalons: newSalons)
    }

    private func schema(
        _ database: borrowing TemporaryDatabase,
        _ migrations: [Migration]
    ) throws -> Schema {
        Schema(database: try Database(path: database.path, access: .write), migrations: migrations)
    }

    @Test("an empty file needs all migrations, and gets the salons with the first one")
    func empty() async throws {
        let database = try TemporaryDatabase()
        _ = try Database(path: database.path, access: .create)
        let pending = try SQLiteBookingStore.pendingMigrations(of: database.path)
        #expect(pending.map(\.number) == Array(1...Migration.all.count))
        #expect(try database.run("SELECT count(*) FROM sqlite_schema") == ["0"])
        let store = try open(database.path, newSalons: [Samples.salon()])
        defer { store.close() }
        #expect(try await store.salon(Samples.salonID())?.version == 1)
        #expect(try await store.changes(after: nil, limit: 0).cursor.number == 0)
        #expect(try SQLiteBookingStore.pendingMigrations(of: database.path).isEmpty)
        #expect(try SQLiteBookingStore.migrate(database.path).isEmpty)
    }

    @Test("later migrations are listed, applied in their order, and keep the rows")
    func later() async throws {
        let database = try TemporaryDatabase()
        try open(database.path, newSalons: [Samples.salon()]).close()
        let numbers = Self.later.dropFirst(Migration.all.count).map(\.number)
        #expect(try schema(database, Self.later).pendingMigrations().map(\.number) == numbers)
        #expect(try database.run("PRAGMA user_version") == ["\(Migration.all.count)"])
        let salons = [Samples.salon(), Samples.salon(2)]
        #expect(try schema(database, Self.later).migrate(adding: salons).map(\.number) == numbers)
        #expect(try schema(database, Self.later).pendingMigrations().isEmpty)
        #expect(try database.run("PRAGMA user_version") == ["\(Self.later.count)"])
        #expect(try database.run("SELECT id || later FROM salons") == ["\(Samples.salonID())x"])
        #expect(try database.run("SELECT a FROM later") == ["1"])
    }

    @Test("neither listing nor applying migrations creates a database")
    func missing() throws {
        let database = try TemporaryDatabase()
        #expect(throws: StorageFailure.self) {
            try SQLiteBookingStore.pendingMigrations(of: database.path)
        }
        #expect(throws: StorageFailure.self) { try SQLiteBookingStore.migrate(database.path) }
        #expect(throws: StorageFailure.self) {
            try SQLiteBookingStore.pendingMigrations(of: database.path)
        }
    }

    @Test("a migration that fails changes nothing, and the ones before it remain")
    func failure() throws {
        let database = try TemporaryDatabase()
        try open(database.path).close()
        try database.run("CREATE TABLE later (b TEXT)")
        #expect(throws: StorageFailure.self) {
            try schema(database, Self.later).migrate(adding: [])
        }
        #expect(try database.run("PRAGMA user_version") == ["\(Migration.all.count + 1)"])
        #expect(try database.run("SELECT name FROM pragma_table_info('later')") == ["b"])
    }

    @Test("a database of a newer version is rejected and not changed")
    func newer() throws {
        let database = try TemporaryDatabase()
        try open(database.path).close()
        try database.run("PRAGMA user_version = 99")
        for open in [
            { (path: String) in _ = try SQLiteBookingStore.pendingMigrations(of: path) },
            { (path: String) in try SQLiteBookingStore.migrate(path) },
            { (path: String) in try self.open(path).close() },
        ] {
            let failure = #expect(throws: StorageFailure.self) { try open(database.path) }
            #expect(failure?.kind == .newerSchema)
            #expect(failure?.description.contains("schema version 99") == true)
        }
        #expect(try database.run("PRAGMA user_version") == ["99"])
    }

    @Test("if a newer program changes the tables while a store is open, the store only reads")
    func whileOpen() async throws {
        let database = try TemporaryDatabase()
        let store = try open(database.path)
        defer { store.close() }
        try schema(database, Self.later).migrate(adding: [])
        for _ in 0..<2 {
            await #expect {
                try await store.importSalons([Samples.salon()])
            } throws: { error in
                (error as? Problem)?.failure?.kind == .newerSchema
            }
            await #expect(throws: Problem.self) { try await store.checkHealth() }
        }
        let id = Samples.salon().id
        #expect(try await store.salon(id) == nil)
        // A failed change leaves no transaction open.
        try database.run("PRAGMA user_version = \(Migration.all.count)")
        _ = try await store.importSalons([Samples.salon()])
        #expect(try await store.salon(id) != nil)
    }
}
