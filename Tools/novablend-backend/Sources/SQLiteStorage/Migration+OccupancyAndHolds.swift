import BookingStorage

extension Migration {
    static let occupancyAndHolds = Migration(
        number: 3,
        summary: "Store services, staff, seats, and holds, and which times they occupy"
    ) { database, _ throws(StorageFailure) in
        for statement in appointments + salons + holds + occupancy {
            try database.execute(statement)
        }
    }

    // Numbers make the rows of occupied grains small.
    private static let appointments = [
        "ALTER TABLE appointments RENAME TO second_appointments",
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
            UNIQUE (salon_id, id)
        ) STRICT
        """,
        """
        INSERT INTO appointments (
            salon_id, id, instant, offset_minutes, minutes, status, version, phone, email, notes,
            idempotency_key
        ) SELECT * FROM second_appointments ORDER BY salon_id, id
        """,
        "DROP TABLE second_appointments",
        "CREATE UNIQUE INDEX appointments_by_id ON appointments (id)",
        // It contains all columns that a search for busy intervals names, so that the search reads
        // nothing else. That includes the status, although it is the same in each row.
        """
        CREATE INDEX active_appointments ON appointments (
            salon_id, instant, minutes, buffer_before, buffer_after, staff_id, seats, id, status
        ) WHERE status = 'booked'
        """,
    ]

    private static let salons = [
        "ALTER TABLE salons RENAME TO second_salons",
        // A deleted salon has no JSON. Its row remains, so that its version never decreases and its
        // number is not used again.
        """
        CREATE TABLE salons (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            version INTEGER NOT NULL,
            json TEXT
        ) STRICT
        """,
        "INSERT INTO salons SELECT NULL, id, version, json FROM second_salons ORDER BY id",
        "DROP TABLE second_salons",
        // The first version did not store salons, so that of an appointment may be unknown.
        """
        INSERT INTO salons (id, version) SELECT DISTINCT salon_id, 0 FROM appointments WHERE true
        ON CONFLICT DO NOTHING
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
            expires_at INTEGER NOT NULL
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
        """,
        // Earlier versions booked one appointment at a time, but to the second. If two share a
        // grain, the second one gets a second seat, which the salon does not have. So the grain is
        // still taken after one of them is cancelled. The limit prevents an overflow.
        """
        WITH RECURSIVE taken (salon, grain, last, owner) AS (
            SELECT salons.number, instant / 300, (instant + minutes * 60 - 1) / 300,
                appointments.number
            FROM appointments JOIN salons ON salons.id = salon_id
            WHERE status = 'booked' AND instant + minutes * 60 > unixepoch()
                AND instant < 1000000000000000 AND minutes BETWEEN 1 AND 1440
            UNION ALL
            SELECT salon, grain + 1, last, owner FROM taken WHERE grain < last
        )
        INSERT INTO occupancy SELECT salon, grain,
            row_number() OVER (PARTITION BY salon, grain ORDER BY last, owner), owner, NULL
        FROM taken
        """,
    ]
}
