extension BookingStore {
    /// Makes the tables, or makes what an older version left into them; the caller is within a
    /// transaction.
    static func prepare(_ database: borrowing Database) throws {
        try rebuildOlderAppointments(in: database)
        for statement in [appointments, takingPlace, idempotency] {
            _ = try database.query(statement)
        }
        try completeOlderIdempotency(in: database)
    }

    private static let appointments = """
        CREATE TABLE IF NOT EXISTS appointments (
            id TEXT PRIMARY KEY,
            salon_id TEXT NOT NULL,
            instant INTEGER NOT NULL,
            offset_minutes INTEGER NOT NULL,
            phone TEXT NOT NULL,
            email TEXT,
            notes TEXT,
            version INTEGER NOT NULL,
            minutes INTEGER NOT NULL,
            status TEXT NOT NULL CHECK (status IN ('booked', 'cancelled'))
        ) STRICT
        """

    /// No two bookings that take place begin at once; what was cancelled is in nobody's way.
    private static let takingPlace = """
        CREATE UNIQUE INDEX IF NOT EXISTS appointments_taking_place
        ON appointments (salon_id, instant) WHERE status = 'booked'
        """

    private static let idempotency = """
        CREATE TABLE IF NOT EXISTS idempotency (
            key TEXT PRIMARY KEY,
            body BLOB NOT NULL,
            response BLOB NOT NULL,
            method TEXT NOT NULL DEFAULT 'POST',
            path TEXT NOT NULL DEFAULT '/appointments'
        ) STRICT
        """

    /// Before bookings could be cancelled all took place, and the table held each time once. SQLite
    /// cannot drop such a constraint, so the rows move to a table without it. Before they had a
    /// length all were of half an hour.
    private static func rebuildOlderAppointments(in database: borrowing Database) throws {
        let columns = try columns(of: "appointments", in: database)
        if columns.isEmpty || columns.contains("status") { return }
        let minutes = columns.contains("minutes") ? "minutes" : "30"
        _ = try database.query("ALTER TABLE appointments RENAME TO older_appointments")
        _ = try database.query(appointments)
        _ = try database.query(
            """
            INSERT INTO appointments
            SELECT id, salon_id, instant, offset_minutes, phone, email, notes, version, \(minutes),
                'booked'
            FROM older_appointments
            """
        )
        _ = try database.query("DROP TABLE older_appointments")
    }

    /// Before there was anything but booking every key was of a booking.
    private static func completeOlderIdempotency(in database: borrowing Database) throws {
        if try columns(of: "idempotency", in: database).contains("method") { return }
        for column in [
            "method TEXT NOT NULL DEFAULT 'POST'", "path TEXT NOT NULL DEFAULT '/appointments'",
        ] {
            _ = try database.query("ALTER TABLE idempotency ADD COLUMN \(column)")
        }
    }

    private static func columns(
        of table: String,
        in database: borrowing Database
    ) throws -> [String] {
        try database.query("SELECT name FROM pragma_table_info(?)", [.text(table)])
            .compactMap { $0.first?.text }
    }
}
