import BookingStorage

extension Migration {
    static let keys = [
        // The order of the primary key lets a key be found without its salon. A used key has its
        // request and the resulting appointment, which is empty if that was deleted; for a voided key
        // these columns are NULL. A key that was voided in all salons has an empty salon_id. The row
        // id is the order of the first use, by which keys expire.
        """
        CREATE TABLE idempotency_keys (
            number INTEGER PRIMARY KEY,
            key TEXT NOT NULL,
            caller TEXT NOT NULL,
            salon_id TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            method TEXT,
            path TEXT,
            body_fingerprint INTEGER,
            result TEXT,
            appointment_id TEXT,
            UNIQUE (key, caller, salon_id)
        ) STRICT
        """,
        // Finds the keys of the requests that changed an appointment. The key that booked it is in the
        // row of the appointment, so a booking does not write to this index.
        """
        CREATE INDEX keys_of_changes ON idempotency_keys (appointment_id)
        WHERE appointment_id IS NOT NULL
        """,
    ]

    static let tokens = [
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
    ]

    static let records = [
        // Positions before the first number are too old, because rows of later changes are deleted.
        """
        CREATE TABLE change_feed (
            epoch TEXT NOT NULL,
            first_number INTEGER NOT NULL DEFAULT 0
        ) STRICT
        """,
        "INSERT INTO change_feed (epoch) VALUES (\(ChangeRows.newID))",
        // The time that the clock showed at an observation, and the seconds of uptime from then on
        // in which nothing is deleted.
        "CREATE TABLE clock (seen_at INTEGER NOT NULL, wait INTEGER NOT NULL) STRICT",
        "INSERT INTO clock VALUES (0, 0)",
        """
        CREATE TABLE audit_log (
            number INTEGER PRIMARY KEY,
            changed_at INTEGER NOT NULL,
            role TEXT NOT NULL,
            token_id TEXT,
            action TEXT NOT NULL,
            kind TEXT NOT NULL,
            id TEXT,
            salon_id TEXT,
            version INTEGER
        ) STRICT
        """,
    ]

    static let terms = [
        // The terms of the history of changes, in their order; see `ChangeRows`. The positions of a
        // term end where the next one begins.
        """
        CREATE TABLE terms (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            first_number INTEGER NOT NULL
        ) STRICT
        """,
        "INSERT INTO terms (id, first_number) SELECT epoch, 0 FROM change_feed",
        "ALTER TABLE change_feed DROP COLUMN epoch",
    ]

    static let maintenance = [
        // The time of the last backup that was found to be complete, the number of erasures after which
        // unused bytes may still contain what was erased, and how often such bytes were overwritten.
        """
        CREATE TABLE maintenance (
            last_backup INTEGER,
            pending_purges INTEGER NOT NULL DEFAULT 0,
            overwritten INTEGER NOT NULL DEFAULT 0
        ) STRICT
        """,
        "INSERT INTO maintenance DEFAULT VALUES",
    ]
}
