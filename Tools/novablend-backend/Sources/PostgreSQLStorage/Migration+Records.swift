import BookingStorage

extension Migration {
    static let keys = [
        // A used key has its request and the resulting appointment, which is empty if that was
        // deleted; for a voided key these columns are NULL. The order of the primary key lets a key be
        // found without its salon.
        """
        CREATE TABLE idempotency_keys (
            key TEXT COLLATE "C" NOT NULL,
            caller TEXT COLLATE "C" NOT NULL,
            salon_id TEXT COLLATE "C" NOT NULL,
            created_at BIGINT NOT NULL,
            method TEXT,
            path TEXT,
            body_fingerprint BIGINT,
            result TEXT,
            appointment_id TEXT COLLATE "C",
            PRIMARY KEY (key, caller, salon_id)
        )
        """,
        "CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at)",
        // Finds the keys of the requests that changed an appointment. The key that booked it is in the
        // row of the appointment, so a booking does not write to this index.
        """
        CREATE INDEX keys_of_changes ON idempotency_keys (appointment_id)
        WHERE appointment_id IS NOT NULL
        """,
        // The keys that were voided in all salons, including those created later.
        """
        CREATE TABLE voided_keys (
            key TEXT COLLATE "C" NOT NULL,
            caller TEXT COLLATE "C" NOT NULL,
            created_at BIGINT NOT NULL,
            PRIMARY KEY (key, caller)
        )
        """,
    ]

    static let tokens = [
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

    static let records = [
        // Positions before the first number are too old, because the row of a deletion was deleted.
        """
        CREATE TABLE change_feed (
            epoch UUID NOT NULL DEFAULT gen_random_uuid(),
            timeline TEXT NOT NULL,
            is_synchronous BOOLEAN NOT NULL,
            first_number XID8 NOT NULL DEFAULT '0'
        )
        """,
        """
        INSERT INTO change_feed (timeline, is_synchronous)
        VALUES (\(ServerHistory.timeline), \(ServerHistory.isSynchronous))
        """,
        // The time that the clock showed at an observation, and the seconds of uptime from then on
        // in which nothing is deleted.
        "CREATE TABLE clock (seen_at BIGINT NOT NULL, wait BIGINT NOT NULL)",
        "INSERT INTO clock VALUES (0, 0)",
        // The numbers are roughly in the order of the commits. A transaction that is rolled back
        // leaves a gap.
        """
        CREATE TABLE audit_log (
            number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            changed_at BIGINT NOT NULL,
            role TEXT NOT NULL,
            token_id TEXT,
            action TEXT NOT NULL,
            kind TEXT NOT NULL,
            id TEXT,
            salon_id TEXT COLLATE "C",
            version BIGINT
        )
        """,
    ]
}
