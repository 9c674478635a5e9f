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
