public import BookingStorage
import Domain
import NovaBlendSystemSQLite

extension SQLiteBookingStore {
    /// Opens the database for changes, prepares its tables, and finds its file.
    static func open(
        _ path: String,
        adding salons: [Salon]
    ) throws(StorageFailure) -> (Database, DatabaseFile) {
        if path == ":memory:" {
            let file = DatabaseFile.inMemory()
            let database = try Database(path: file.path, access: .create)
            try Schema(database: database).migrate(adding: salons)
            return (database, file)
        }
        try DatabaseFile.restrict(path)
        let path = DatabaseFile.absolutePath(path)
        let database = try Database(path: path, access: .create)
        guard sqlite3_db_readonly(database.handle, "main") == 0 else {
            throw StorageFailure(.readOnly, "its file cannot be written")
        }
        // A cache of 32 MiB, because each batch changes pages all over the indexes.
        for pragma in ["journal_mode=WAL", "synchronous=FULL", "cache_size=-32768"] {
            try database.execute("PRAGMA \(pragma)")
        }
        try Schema(database: database).migrate(adding: salons)
        return (database, try DatabaseFile(open: path))
    }

    /// Creates what copies the write-ahead log on its own thread. Returns nil if the database is in
    /// memory, because it has no log, or if the thread cannot start: then SQLite copies the log itself.
    static func makeCheckpointer(
        of file: DatabaseFile,
        _ limits: Checkpointer.Limits,
        _ uptime: @escaping ClockMonitor.Uptime
    ) throws(StorageFailure) -> Checkpointer? {
        if file.isInMemory { return nil }
        let database = try Database(path: file.path, access: .write)
        return Checkpointer(database, limits: limits, uptime: uptime)
    }
}

extension SQLiteBookingStore {
    /// The migrations that the database at `path` needs, in order. The database is not changed.
    ///
    /// - Throws: `newerSchema` if it belongs to a newer version of the program, `corrupted` if it
    ///   is not a database of the backend, or any other failure.
    public static func pendingMigrations(
        of path: String
    ) throws(StorageFailure) -> [Migration] {
        Array(try Schema(database: Database(path: path, access: .read)).pendingMigrations())
    }

    /// Whether a token was ever created in the database at `path`, which must be up to date.
    public static func hasTokens(_ path: String) throws(StorageFailure) -> Bool {
        try Database(path: path, access: .read).run(StoredToken.exists)
    }

    /// Applies the migrations that an existing database needs, each in one transaction, and returns
    /// them.
    ///
    /// - Throws: The failures of ``pendingMigrations(of:)``. The migrations before the failed one
    ///   remain applied.
    @discardableResult
    public static func migrate(_ path: String) throws(StorageFailure) -> [Migration] {
        try DatabaseFile.requireOneName(path)
        let database = try Database(path: path, access: .write)
        defer { database.close() }
        return try Schema(database: database).migrate(adding: [])
    }
}
