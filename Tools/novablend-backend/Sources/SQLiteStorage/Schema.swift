import BookingStorage
import Domain

/// The version of a database's tables, which SQLite stores as `user_version`.
enum Schema {
    static let latest = Migration.all.count
    private static let readVersion = SQL("PRAGMA user_version")

    /// Throws `newerSchema` if a newer version of the program has changed the tables.
    static func checkVersion(of database: Database) throws(StorageFailure) {
        let version = try database.first(readVersion) { _ in
        } _: {
            $0.integer(0)
        }
        if let version, version > latest { throw newerSchema(version) }
    }

    /// The migrations that a database needs. An empty database needs all.
    ///
    /// Throws `newerSchema` if the database needs a newer program, and `corrupted` if it is not a
    /// database of the backend.
    static func pendingMigrations(
        of database: Database
    ) throws(StorageFailure) -> ArraySlice<Migration> {
        let (version, hasTables) = try state(of: database)
        if version > latest { throw newerSchema(Int64(version)) }
        guard version >= 0, (version > 0) == hasTables else {
            throw StorageFailure(.corrupted, "it is not a database of novablend-backend")
        }
        return Migration.all[version...]
    }

    /// Applies the migrations that the database needs, each in its own transaction, and returns
    /// them. `salons` are added if the database has no table for salons yet.
    @discardableResult
    static func migrate(
        _ database: Database,
        adding salons: [Salon]
    ) throws(StorageFailure) -> [Migration] {
        var applied: [Migration] = []
        while let next = try pendingMigrations(of: database).first {
            try database.beginImmediate()
            defer { database.rollback() }
            // A different process may have been faster.
            guard try database.execute("PRAGMA user_version") == Int64(next.number - 1) else {
                continue
            }
            try next.apply(database, salons)
            try database.execute("PRAGMA user_version = \(next.number)")
            try database.commit()
            applied.append(next)
        }
        return applied
    }

    private static func newerSchema(_ version: Int64) -> StorageFailure {
        StorageFailure(
            .newerSchema,
            "it has schema version \(version), but this version of novablend-backend knows "
                + "only \(latest); use a newer version or a different database"
        )
    }

    private static func state(
        of database: Database
    ) throws(StorageFailure) -> (version: Int, hasTables: Bool) {
        let version = try database.execute("PRAGMA user_version") ?? 0
        let hasTables = try database.execute("SELECT 1 FROM sqlite_schema LIMIT 1") != nil
        return (Int(clamping: version), hasTables)
    }
}
