extension BookingStore {
    /// The database has the tables of a different version of the backend.
    struct SchemaMismatch: Error, CustomStringConvertible {
        var description: String {
            "a different version of novablend-backend made it; name a different file with --database"
        }
    }

    /// Counted up with every change to the tables.
    private static let schemaVersion: Int64 = 1

    /// Creates the tables in an empty database, and refuses one whose tables are different; the
    /// caller is within a transaction.
    static func prepare(_ database: borrowing Database) throws {
        let version = try database.query("PRAGMA user_version").first?.first
        if version == .integer(schemaVersion) { return }
        guard try database.query("SELECT 1 FROM sqlite_schema LIMIT 1").isEmpty else {
            throw SchemaMismatch()
        }
        for statement in [appointments, takingPlace, idempotency, idempotencyAge] {
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

    /// No two bookings that take place begin at once; what was cancelled is in nobody's way.
    private static let takingPlace = """
        CREATE UNIQUE INDEX appointments_taking_place
        ON appointments (salon_id, instant) WHERE status = 'booked'
        """

    /// A key that was used has its request and the response; a voided key has neither.
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
