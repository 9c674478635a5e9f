import BookingStorage

extension Migration {
    /// All migrations, in order. To change the tables, add one at the end. Never change one that
    /// has been released.
    static let all: [Migration] = [
        firstTables, salonsAndKeys, occupancyAndHolds, changeFeed, tokens, retention, visibility,
        clock, changesOfSalons, requestsOfHolds,
    ]

    private static let firstTables = Migration(
        number: 1,
        summary: "Create the tables for appointments and idempotency keys"
    ) { database, _ throws(StorageFailure) in
        for statement in [
            """
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
            """,
            """
            CREATE UNIQUE INDEX appointments_taking_place
            ON appointments (salon_id, instant) WHERE status = 'booked'
            """,
            """
            CREATE TABLE idempotency (
                key TEXT PRIMARY KEY,
                created_at INTEGER NOT NULL,
                method TEXT,
                path TEXT,
                body BLOB,
                response BLOB
            ) STRICT
            """,
            "CREATE INDEX idempotency_created_at ON idempotency (created_at)",
        ] {
            try database.execute(statement)
        }
    }
}
