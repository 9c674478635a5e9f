import BookingStorage
import Domain

/// The versions of a database's tables: the numbers of the migrations that were applied.
struct Schema {
    private static let table = SQL(
        """
        CREATE TABLE IF NOT EXISTS novablend_migrations (
            number INT PRIMARY KEY,
            summary TEXT NOT NULL,
            applied_at TIMESTAMPTZ NOT NULL DEFAULT now()
        )
        """
    )
    private static let exists = SQL("SELECT to_regclass('novablend_migrations') IS NOT NULL")
    private static let version = SQL("SELECT max(number) FROM novablend_migrations")
    // Also excludes `checkVersion` of new connections.
    private static let lock = SQL("LOCK TABLE novablend_migrations IN ACCESS EXCLUSIVE MODE")
    /// Closes the other connections with the same name, and waits up to 5 s for each.
    private static let disconnectOthers = SQL(
        """
        SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
        WHERE datname = current_database() AND usename = current_user
            AND application_name = current_setting('application_name')
            AND pid <> pg_backend_pid()
        """
    )
    private static let insert = SQL(
        "INSERT INTO novablend_migrations (number, summary) VALUES ($1, $2)"
    )

    let connection: Connection
    /// The migrations that the program knows.
    var migrations = Migration.all

    /// Throws `newerSchema` if a newer version of the program has changed the tables. Waits for a
    /// migration that runs.
    func checkVersion() throws(DatabaseError) { _ = try pendingAfterLastMigration() }

    /// The migrations that the database needs. An empty database needs all.
    func pendingMigrations() throws(DatabaseError) -> ArraySlice<Migration> {
        try exists ? try pendingAfterLastMigration() : migrations[...]
    }

    private var exists: Bool {
        get throws(DatabaseError) { try connection.run(Query(Self.exists, otherwise: false)) }
    }

    /// Applies the migrations that the database needs, each in its own transaction, and returns
    /// them. `salons` are added if the database has no tables yet.
    func migrate(adding salons: [Salon]) throws(DatabaseError) -> [Migration] {
        var applied: [Migration] = []
        guard try !pendingMigrations().isEmpty else { return [] }
        try createTable()
        while let next = try apply(salons) { applied.append(next) }
        return applied
    }

    private func createTable() throws(DatabaseError) {
        do {
            try connection.run(Query<Void>(running: Self.table))
        } catch {
            // A different instance may create it at the same time.
            guard try exists else { throw error }
        }
    }

    /// Applies the next migration and returns it; nil after the last one. Other instances wait.
    private func apply(_ salons: [Salon]) throws(DatabaseError) -> Migration? {
        _ = try connection.run(Query<Void>(running: .begin), Query<Void>(running: Self.lock))
        do {
            guard let next = try pendingAfterLastMigration().first else {
                try connection.run(Query<Void>(running: .rollback))
                return nil
            }
            for statement in next.statements {
                try connection.run(Query<Void>(running: SQL(statement)))
            }
            if next.number == 1 {
                for salon in salons {
                    _ = try connection.run(SalonRows.write(salon, over: nil).query)
                }
                // The feed of changes begins after the first salons.
                try connection.run(Query<Void>(running: SQL("UPDATE salons SET change = '0'")))
            }
            _ = try connection.run(Query(Self.insert, next.number, next.summary))
            // Instances of older versions would go on with the tables that they know. Now they connect
            // again, and find out.
            if next.number > 1 { try connection.run(Query<Void>(running: Self.disconnectOthers)) }
            try connection.run(Query<Void>(running: .commit))
            return next
        } catch {
            try? connection.run(Query<Void>(running: .rollback))
            throw error
        }
    }

    private func pendingAfterLastMigration() throws(DatabaseError) -> ArraySlice<Migration> {
        let version = try connection.run(Query<Int>(Self.version, otherwise: 0))
        guard (0...migrations.count).contains(version) else {
            throw .failed(.newerSchema(version, latest: migrations.count))
        }
        return migrations[version...]
    }
}
