public import BookingStorage
import Domain

extension PostgreSQLBookingStore {
    /// The migrations that a database needs, in order. The database is not changed.
    ///
    /// - Throws: The failures of ``migrate(_:)``.
    public static func pendingMigrations(of url: String) throws(StorageFailure) -> [Migration] {
        try withSchema(of: url) { schema throws(DatabaseError) in
            Array(try schema.pendingMigrations())
        }
    }

    /// Applies the migrations that a database needs, each in one transaction, and returns them.
    /// Several processes can do this at the same time.
    ///
    /// - Throws: `unreachable`, `newerSchema` if the database belongs to a newer version of the
    ///   program, or any other failure. The migrations before the failed one remain.
    @discardableResult
    public static func migrate(_ url: String) throws(StorageFailure) -> [Migration] {
        try migrate(url, adding: [])
    }

    /// Applies migrations. `salons` are added if the database has no tables yet.
    @discardableResult
    static func migrate(
        _ url: String,
        adding salons: [Salon]
    ) throws(StorageFailure) -> [Migration] {
        try withSchema(of: url) { schema throws(DatabaseError) in
            try schema.migrate(adding: salons)
        }
    }

    /// Whether a token was ever created in the database, which must be up to date.
    public static func hasTokens(_ url: String) throws(StorageFailure) -> Bool {
        try read(StoredToken.exists, in: url)
    }

    /// What the database, which must be up to date, contains about its clock.
    static func clockRecord(_ url: String) throws(StorageFailure) -> ClockMonitor.Record {
        try read(ClockMonitor.Record.query, in: url)
    }

    private static func read<Output>(
        _ query: Query<Output>,
        in url: String
    ) throws(StorageFailure) -> Output {
        try withSchema(of: url) { schema throws(DatabaseError) in
            try schema.connection.run(query)
        }
    }

    /// Calls `body`, again for a while if it fails for a transient reason.
    static func withSchema<R>(
        of url: String,
        _ body: (Schema) throws(DatabaseError) -> R
    ) throws(StorageFailure) -> R {
        let deadline = ContinuousClock.now + defaultWaitTimeout
        var backoff = Backoff()
        while true {
            do {
                // A migration of large tables takes as long as it takes.
                let connection = try Connection(url: url, answerTimeout: nil)
                try connection.requireOwnSession(url)
                return try body(Schema(connection: connection))
            } catch {
                guard error.isTransient, backoff.wait(until: deadline) else { throw error.failure }
            }
        }
    }
}
