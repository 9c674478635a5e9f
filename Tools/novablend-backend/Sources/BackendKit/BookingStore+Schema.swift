extension BookingStore {
    /// The database has the tables of a different version of the backend.
    struct SchemaMismatch: Error, CustomStringConvertible {
        var description: String {
            "it belongs to a different version of novablend-backend; use a different --database"
        }
    }

    /// Increases with every change to the tables.
    private static let schemaVersion: Int64 = 1

    /// Creates the tables in an empty database. Throws `SchemaMismatch` if the database has
    /// different tables. Call it within a transaction.
    static func prepare(_ database: borrowing Database) throws {
        let version = try database.query("PRAGMA user_version").first?.first
        if version == .integer(schemaVersion) { return }
        guard try database.query("SELECT 1 FROM sqlite_schema LIMIT 1").isEmpty else {
            throw SchemaMismatch()
        }
        for statement in [appointments, uniqueStarts, idempotency, idempotencyAge] {
            _ = try database.query(statement)
        }
        _ = try database.query("PRAGMA user_version = \(schemaVersion)")
    }

    private static let appointments = """
        CREATE TABLE appointments (
            id TEXT PRIMARY KEY,
            salon_id TEXT NOT NULL,
            instant INTEGER NOT NULL,
            offset_minutes INTEGER NOT NULL,
            phone TEXT NOT NULL,
            email TEXT,
            notes TEXT,
            version INTEGER NOT NULL,
            minutes INTEGER NOT NULL,
            status TEXT NOT NULL CHECK (status IN ('booked', 'cancelled')),
            idempotency_key TEXT
        ) STRICT
        """

    /// Two active bookings of a salon cannot start at the same time. Cancelled ones do not count.
    private static let uniqueStarts = """
        CREATE UNIQUE INDEX appointments_taking_place
        ON appointments (salon_id, instant) WHERE status = 'booked'
        """

    /// A used key has its request and the response. For a voided key these columns are NULL.
    private static let idempotency = """
        CREATE TABLE idempotency (
            key TEXT PRIMARY KEY,
            created_at INTEGER NOT NULL,
            method TEXT,
            path TEXT,
            body BLOB,
            response BLOB
        ) STRICT
        """

    private static let idempotencyAge = """
        CREATE INDEX idempotency_created_at ON idempotency (created_at)
        """
}
