extension Migration {
    static let tokens = Migration(
        number: 2,
        summary: "Create the table of tokens",
        statements: [
            """
            CREATE TABLE tokens (
                id TEXT COLLATE "C" PRIMARY KEY,
                hash TEXT NOT NULL,
                role TEXT NOT NULL CHECK (role IN ('customer', 'staff', 'administrator')),
                phone TEXT COLLATE "C",
                salon_id TEXT COLLATE "C",
                name TEXT,
                created_at BIGINT NOT NULL,
                expires_at BIGINT,
                revoked_at BIGINT
            )
            """,
            "CREATE INDEX tokens_by_age ON tokens (created_at, id)",
        ]
    )
}
