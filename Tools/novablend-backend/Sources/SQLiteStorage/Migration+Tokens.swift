import BookingStorage

extension Migration {
    static let tokens = Migration(
        number: 5,
        summary: "Create the table of tokens"
    ) { database, _ throws(StorageFailure) in
        for statement in [
            """
            CREATE TABLE tokens (
                id TEXT PRIMARY KEY,
                hash TEXT NOT NULL,
                role TEXT NOT NULL CHECK (role IN ('customer', 'staff', 'administrator')),
                phone TEXT,
                salon_id TEXT,
                name TEXT,
                created_at INTEGER NOT NULL,
                expires_at INTEGER,
                revoked_at INTEGER
            ) STRICT
            """,
            "CREATE INDEX tokens_by_age ON tokens (created_at, id)",
        ] {
            try database.execute(statement)
        }
    }
}
