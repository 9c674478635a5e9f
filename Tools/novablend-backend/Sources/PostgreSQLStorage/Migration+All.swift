import BookingStorage

extension Migration {
    /// All migrations, in order. To change the tables, add one at the end. Never change one that
    /// has been released.
    static let all = [
        Migration(
            number: 1,
            summary: "Create the tables",
            statements: salons + appointments + holds + occupancy + keys + tokens + records
        ),
        Migration(
            number: 2,
            summary: "Count rejected requests in the audit log",
            statements: ["ALTER TABLE audit_log ADD COLUMN count BIGINT"]
        ),
        Migration(
            number: 3,
            summary: "Find the appointments of a customer, long ones, and expired keys at once",
            statements: [
                // Before, callers were looked up in each period of about 5 hours. Now a booking changes a
                // page of this index that few other bookings of the time need.
                "DROP INDEX appointments_of_callers",
                "CREATE INDEX appointments_of_callers ON appointments (caller, id)",
                "DROP INDEX active_appointments",
                "CREATE INDEX active_appointments \(onBusyTimes) WHERE status = 'booked'",
                """
                CREATE INDEX long_appointments \(onBusyTimes)
                WHERE status = 'booked' AND \(BusyRows.isLong)
                """,
                "CREATE INDEX voided_keys_by_age ON voided_keys (created_at)",
            ]
        ),
        Migration(
            number: 4,
            summary: "Store when appointments are booked",
            statements: [
                // The time is not known of the appointments from before.
                "ALTER TABLE appointments ADD COLUMN booked_at BIGINT",
                // A booking whose caller may have a limited number of appointments locks its row, too.
                "CREATE INDEX hold_callers_by_age ON hold_callers (used_at)",
            ]
        ),
        Migration(
            number: 5,
            summary: "Store whether the length of an appointment is known",
            // The appointments from before keep the ends that were stated.
            statements: [
                "ALTER TABLE appointments ADD COLUMN length_assumed BOOLEAN NOT NULL DEFAULT false"
            ]
        ),
    ]

    /// The columns of an index that contains all that a search for busy times reads.
    private static let onBusyTimes = """
        ON appointments (salon_id, instant) INCLUDE (busy_start, busy_end, staff_id, seats, id)
        """

    // Each table can be distributed by the first column of its rows' identity: the salon, the caller,
    // or the key. Ids are compared by their bytes, as in SQLite. Times are in seconds since 1970.

    private static let salons = [
        // A deleted salon has no JSON. Its row remains, so that its version never decreases.
        // `changing_until` is NULL if no change waits. Bookings wait for an announced change only until
        // this time, because the program may end before it makes the change.
        """
        CREATE TABLE salons (
            id TEXT COLLATE "C" PRIMARY KEY,
            version BIGINT NOT NULL,
            json TEXT,
            change XID8 NOT NULL DEFAULT \(ChangeRows.thisChange),
            changing_until BIGINT
        )
        """,
        "CREATE INDEX changed_salons ON salons (change)",
    ]

    private static let appointments =
        [
            // The time with buffers is stored, too, because it is searched for. The caller is the
            // digits of the phone number without leading zeros and without an extension, as in
            // `BookingRequest.caller`. A stored phone number has no characters other than digits, those
            // that are removed here, and ` ext. ` before an extension.
            """
            CREATE TABLE appointments (
                salon_id TEXT COLLATE "C" NOT NULL,
                id TEXT COLLATE "C" NOT NULL,
                instant BIGINT NOT NULL,
                offset_minutes INT NOT NULL,
                minutes INT NOT NULL,
                buffer_before INT NOT NULL,
                buffer_after INT NOT NULL,
                busy_start BIGINT NOT NULL,
                busy_end BIGINT NOT NULL,
                status TEXT NOT NULL CHECK (status IN ('booked', 'cancelled')),
                version BIGINT NOT NULL,
                phone TEXT NOT NULL,
                email TEXT,
                notes TEXT,
                idempotency_key TEXT,
                service_id TEXT,
                staff_id TEXT,
                staff_assigned BOOLEAN NOT NULL,
                seats INT NOT NULL,
                service_name TEXT,
                price_amount BIGINT,
                price_currency TEXT,
                deleted_at BIGINT,
                caller TEXT COLLATE "C"
                    GENERATED ALWAYS AS (
                        ltrim(translate(split_part(phone, ' ext. ', 1), '+ -./()', ''), '0')
                    ) STORED,
                change XID8 NOT NULL DEFAULT \(ChangeRows.thisChange),
                PRIMARY KEY (salon_id, id)
            )
            """,
            "CREATE INDEX appointments_by_id ON appointments (id)",
            """
            CREATE INDEX active_appointments ON appointments (salon_id, busy_start)
            INCLUDE (busy_end, staff_id, seats, id) WHERE status = 'booked'
            """,
            """
            CREATE INDEX deleted_appointments ON appointments (deleted_at)
            WHERE deleted_at IS NOT NULL
            """,
            // The first column is the time of the booking, in units of about 5 hours, because ids
            // begin with it. So bookings change few pages of the index, however many are stored.
            // Callers are looked up in each unit.
            "CREATE INDEX appointments_of_callers ON appointments (left(id, 6), caller)",
            "CREATE INDEX changed_appointments ON appointments (change)",
        ]
        // The first column groups transactions that began one after the other, so that bookings
        // change few pages of the index.
        + [("salons", "salon_id"), ("callers", "caller")].map { name, owner in
            """
            CREATE INDEX changes_of_\(name)
            ON appointments (\(ChangePosition.group(of: "change")), \(owner), change)
            """
        }

    private static let holds = [
        // A hold is active until it expires. If it is released or becomes an appointment, it
        // expires then.
        """
        CREATE TABLE holds (
            salon_id TEXT COLLATE "C" NOT NULL,
            id TEXT COLLATE "C" NOT NULL,
            caller TEXT COLLATE "C" NOT NULL,
            idempotency_key TEXT,
            instant BIGINT NOT NULL,
            offset_minutes INT NOT NULL,
            minutes INT NOT NULL,
            buffer_before INT NOT NULL,
            buffer_after INT NOT NULL,
            busy_start BIGINT NOT NULL,
            busy_end BIGINT NOT NULL,
            phone TEXT NOT NULL,
            service_id TEXT,
            staff_id TEXT,
            staff_assigned BOOLEAN NOT NULL,
            seats INT NOT NULL,
            expires_at BIGINT NOT NULL,
            key_caller TEXT COLLATE "C" NOT NULL DEFAULT '',
            body_fingerprint BIGINT,
            PRIMARY KEY (salon_id, id)
        )
        """,
        "CREATE INDEX holds_by_id ON holds (id)",
        "CREATE INDEX holds_of_callers ON holds (caller, expires_at)",
        "CREATE INDEX holds_of_salons ON holds (salon_id, expires_at)",
        "CREATE INDEX holds_by_expiry ON holds (expires_at)",
        // A transaction that makes a hold locks the row of its caller.
        """
        CREATE TABLE hold_callers (
            caller TEXT COLLATE "C" PRIMARY KEY,
            used_at BIGINT NOT NULL
        )
        """,
    ]

    private static let occupancy = [
        // A grain is a number of five-minute intervals since the Unix epoch. A resource is a staff
        // member or a seat. The owner is an appointment, whose grains do not expire, or a hold.
        // Because the grain precedes the resource, the grains of a time are adjacent.
        """
        CREATE TABLE occupancy (
            salon_id TEXT COLLATE "C" NOT NULL,
            grain BIGINT NOT NULL,
            resource TEXT COLLATE "C" NOT NULL,
            owner TEXT COLLATE "C" NOT NULL,
            expires_at BIGINT,
            PRIMARY KEY (salon_id, grain, resource)
        )
        """
    ]
}

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
