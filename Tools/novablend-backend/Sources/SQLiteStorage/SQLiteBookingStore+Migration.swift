public import BookingStorage

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
