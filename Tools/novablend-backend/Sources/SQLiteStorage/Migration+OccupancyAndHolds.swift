import BookingStorage

extension Migration {
    static let occupancyAndHolds = Migration(
        number: 3,
        summary: "Store services, staff, seats, and holds, and which times they occupy"
    ) { database, _ throws(StorageFailure) in
        for statement in newColumns + holds + occupancy { try database.execute(statement) }
    }

    private static let newColumns = [
        "ALTER TABLE appointments ADD COLUMN service_id TEXT",
        "ALTER TABLE appointments ADD COLUMN staff_id TEXT",
        "ALTER TABLE appointments ADD COLUMN staff_assigned INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE appointments ADD COLUMN seats INTEGER NOT NULL DEFAULT 1",
        "ALTER TABLE appointments ADD COLUMN buffer_before INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE appointments ADD COLUMN buffer_after INTEGER NOT NULL DEFAULT 0",
        "DROP INDEX active_appointments",
        // It contains all columns that a search for busy intervals names, so that the search reads
        // nothing else. That includes the status, although it is the same in each row.
        """
        CREATE INDEX active_appointments ON appointments (
            salon_id, instant, minutes, buffer_before, buffer_after, staff_id, seats, id, status
        ) WHERE status = 'booked'
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
        // A grain is a number of five-minute intervals since the Unix epoch. A resource is a staff
        // member or a seat. The owner is an appointment, whose grains do not expire, or a hold.
        // Because the grain precedes the resource, the grains of a time are adjacent.
        """
        CREATE TABLE occupancy (
            salon_id TEXT NOT NULL,
            grain INTEGER NOT NULL,
            resource TEXT NOT NULL,
            owner TEXT NOT NULL,
            expires_at INTEGER,
            PRIMARY KEY (salon_id, grain, resource)
        ) STRICT, WITHOUT ROWID
        """,
        // Earlier versions booked one appointment at a time, but to the second. If two share a
        // grain, the first one gets it. The limit prevents an overflow.
        """
        WITH RECURSIVE taken (salon_id, grain, last, id) AS (
            SELECT salon_id, instant / 300, (instant + minutes * 60 - 1) / 300, id
            FROM appointments
            WHERE status = 'booked' AND instant + minutes * 60 > unixepoch()
                AND instant < 1000000000000000 AND minutes BETWEEN 1 AND 1440
            UNION ALL
            SELECT salon_id, grain + 1, last, id FROM taken WHERE grain < last
        )
        INSERT INTO occupancy SELECT salon_id, grain, 'seat 1', id, NULL FROM taken WHERE true
        ORDER BY salon_id, grain, last ON CONFLICT DO NOTHING
        """,
    ]
}
