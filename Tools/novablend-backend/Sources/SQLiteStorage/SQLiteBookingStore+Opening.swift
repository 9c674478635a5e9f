import BookingStorage
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
