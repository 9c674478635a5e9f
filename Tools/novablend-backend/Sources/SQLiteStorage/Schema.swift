import BookingStorage
import Domain

/// The version of a database's tables: the number of the last migration, which SQLite stores as
/// `user_version`.
struct Schema {
    private static let readVersion = SQL("PRAGMA user_version")

    let database: Database
    /// The migrations that the program knows.
    var migrations = Migration.all

    /// Throws `newerSchema` if a newer version of the program has changed the tables.
    func checkVersion() throws(StorageFailure) {
        let version = try database.run(Query<Int>(Self.readVersion, otherwise: 0))
        if version > migrations.count {
            throw .newerSchema(version, latest: migrations.count)
        }
    }

    /// The migrations that the database needs. An empty database needs all.
    ///
    /// Throws `newerSchema` if the database needs a newer program, and `corrupted` if it is not a
    /// database of the backend.
    func pendingMigrations() throws(StorageFailure) -> ArraySlice<Migration> {
        try checkVersion()
        let version = Int(clamping: try database.execute("PRAGMA user_version") ?? 0)
        let hasTables = try database.execute("SELECT 1 FROM sqlite_schema LIMIT 1") != nil
        guard version >= 0, (version > 0) == hasTables else {
            throw StorageFailure(.corrupted, "it is not a database of novablend-backend")
        }
        return migrations[version...]
    }

    /// Applies the migrations that the database needs, each in its own transaction, and returns
    /// them. `salons` are added if the database has no tables yet.
    @discardableResult
    func migrate(adding salons: [Salon]) throws(StorageFailure) -> [Migration] {
        var applied: [Migration] = []
        while let next = try pendingMigrations().first {
            try database.beginImmediate()
            defer { database.rollback() }
            // A different process may have been faster.
            guard try database.execute("PRAGMA user_version") == Int64(next.number - 1) else {
                continue
            }
            for statement in next.statements { try database.execute(statement) }
            if next.number == 1 {
                for salon in salons { _ = try SalonRows.write(salon, over: nil, in: database) }
                // The feed of changes begins after the first salons.
                try database.execute("UPDATE salons SET change = 0")
            }
            try database.execute("PRAGMA user_version = \(next.number)")
            try database.commit()
            applied.append(next)
        }
        return applied
    }
}
