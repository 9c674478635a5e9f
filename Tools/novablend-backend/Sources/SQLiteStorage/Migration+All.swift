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
            statements: ["ALTER TABLE audit_log ADD COLUMN count INTEGER"]
        ),
        Migration(
            number: 3,
            summary: "Divide the history of changes into terms",
            statements: terms
        ),
        Migration(number: 4, summary: "Record backups and erasures", statements: maintenance),
        Migration(
            number: 5,
            summary: "Find the appointments of a customer, long ones, and active holds at once",
            statements: [
                // Before, callers were looked up in each group of 1,024 appointments. Now a booking
                // changes a page of this index that no other booking of its batch may need.
                "DROP INDEX appointments_of_callers",
                "CREATE INDEX appointments_of_callers ON appointments (caller, id)",
                """
                CREATE INDEX long_appointments ON appointments (
                    salon_id, instant, minutes, buffer_before, buffer_after, staff_id, seats, id, status
                ) WHERE status = 'booked' AND \(BusyRows.isLong)
                """,
                "CREATE INDEX holds_by_expiry ON holds (expires_at)",
            ]
        ),
        Migration(
            number: 6,
            summary: "Store when appointments are booked",
            // The time is not known of the appointments from before.
            statements: ["ALTER TABLE appointments ADD COLUMN booked_at INTEGER"]
        ),
        Migration(
            number: 7,
            summary: "Store whether the length of an appointment is known",
            // The appointments from before keep the ends that were stated.
            statements: [
                "ALTER TABLE appointments ADD COLUMN length_assumed INTEGER NOT NULL DEFAULT 0"
            ]
        ),
    ]

    private static let salons = [
        // A deleted salon has no JSON. Its row remains, so that its version never decreases and its
        // number is not used again. From the grain `complete_from` on, the table of occupied grains
        // is complete.
        """
        CREATE TABLE salons (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            version INTEGER NOT NULL,
            json TEXT,
            change INTEGER NOT NULL DEFAULT 0,
            complete_from INTEGER NOT NULL DEFAULT 0
        ) STRICT
        """,
        // A change gets a greater number than all earlier ones, so this index and that of changed
        // appointments only grow at their ends.
        "CREATE INDEX changed_salons ON salons (change)",
    ]

    // The digits of a phone number without leading zeros and without an extension, as in
    // `BookingRequest.caller`. A stored phone number has no characters other than digits, these
    // separators, and ` ext. ` before an extension.
    private static let caller: String = {
        let separators = ["+", " ", "-", ".", "/", "(", ")"]
        let number = "substr(phone, 1, instr(phone || ' ext. ', ' ext. ') - 1)"
        let digits = separators.reduce(number) { "replace(\($0), '\($1)', '')" }
        return "ltrim(\(digits), '0')"
    }()

    private static let appointments = [
        // New rows are appended to the table, so that the rows of a batch share pages. In a table
        // without row ids, each would change a page of its own. The numbers also make the rows of
        // occupied grains small.
        """
        CREATE TABLE appointments (
            number INTEGER PRIMARY KEY,
            salon_id TEXT NOT NULL,
            id TEXT NOT NULL,
            instant INTEGER NOT NULL,
            offset_minutes INTEGER NOT NULL,
            minutes INTEGER NOT NULL,
            status TEXT NOT NULL CHECK (status IN ('booked', 'cancelled')),
            version INTEGER NOT NULL,
            phone TEXT NOT NULL,
            email TEXT,
            notes TEXT,
            idempotency_key TEXT,
            service_id TEXT,
            staff_id TEXT,
            staff_assigned INTEGER NOT NULL DEFAULT 0,
            seats INTEGER NOT NULL DEFAULT 1,
            buffer_before INTEGER NOT NULL DEFAULT 0,
            buffer_after INTEGER NOT NULL DEFAULT 0,
            service_name TEXT,
            price_amount INTEGER,
            price_currency TEXT,
            change INTEGER NOT NULL DEFAULT 0,
            deleted_at INTEGER,
            caller TEXT GENERATED ALWAYS AS (\(caller)) VIRTUAL,
            UNIQUE (salon_id, id)
        ) STRICT
        """,
        "CREATE UNIQUE INDEX appointments_by_id ON appointments (id)",
        // The index contains all columns that a search for busy intervals names, so that the search
        // reads nothing else. That includes the status, although it is the same in each row.
        """
        CREATE INDEX active_appointments ON appointments (
            salon_id, instant, minutes, buffer_before, buffer_after, staff_id, seats, id, status
        ) WHERE status = 'booked'
        """,
        """
        CREATE INDEX deleted_appointments ON appointments (deleted_at)
        WHERE deleted_at IS NOT NULL
        """,
        "CREATE INDEX changed_appointments ON appointments (change)",
        // The first column of the next two groups 1,024 appointments that were booked or changed one
        // after the other. So the bookings of a transaction change few pages of these indexes, however
        // many are stored. Callers and salons are looked up in each group.
        "CREATE INDEX appointments_of_callers ON appointments (number >> 10, caller)",
        """
        CREATE INDEX changes_of_salons
        ON appointments (change >> \(AppointmentRows.changeGroupBits), salon_id, change)
        """,
    ]

    private static let holds = [
        // A hold is active until it expires. If it is released or becomes an appointment, it
        // expires then. The row id is the order of creation, in which holds are forgotten.
        """
        CREATE TABLE holds (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            salon_id TEXT NOT NULL,
            caller TEXT NOT NULL,
            idempotency_key TEXT,
            instant INTEGER NOT NULL,
            offset_minutes INTEGER NOT NULL,
            minutes INTEGER NOT NULL,
            buffer_before INTEGER NOT NULL,
            buffer_after INTEGER NOT NULL,
            phone TEXT NOT NULL,
            service_id TEXT,
            staff_id TEXT,
            staff_assigned INTEGER NOT NULL,
            seats INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            key_caller TEXT NOT NULL DEFAULT '',
            body_fingerprint INTEGER
        ) STRICT
        """,
        "CREATE INDEX holds_of_callers ON holds (caller, expires_at)",
        """
        CREATE INDEX holds_of_salons ON holds (
            salon_id, expires_at, instant, minutes, buffer_before, buffer_after, staff_id, seats, id
        )
        """,
    ]

    private static let occupancy = [
        // A grain is a number of five-minute intervals since the Unix epoch. A resource is the
        // number of a seat, or the id of a staff member, which is a text. The owner is the number
        // of an appointment, whose grains do not expire, or the negative number of a hold. Because
        // the grain precedes the resource, the grains of a time are adjacent.
        """
        CREATE TABLE occupancy (
            salon INTEGER NOT NULL,
            grain INTEGER NOT NULL,
            resource ANY NOT NULL,
            owner INTEGER NOT NULL,
            expires_at INTEGER,
            PRIMARY KEY (salon, grain, resource)
        ) STRICT, WITHOUT ROWID
        """
    ]
}

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
