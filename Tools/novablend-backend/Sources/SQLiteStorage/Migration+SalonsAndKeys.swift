import BookingStorage
import Contract
import Domain

extension Migration {
    /// Databases of version 1 belong to programs whose salons were built in, so their salons are
    /// added, too.
    static let salonsAndKeys = Migration(
        number: 2,
        summary: "Store salons, and identify appointments and idempotency keys by salon"
    ) { database, salons throws(StorageFailure) in
        try createSalons(salons, in: database)
        try replaceAppointments(in: database)
        try replaceKeys(in: database)
    }

    private static func createSalons(
        _ salons: [Salon],
        in database: Database
    ) throws(StorageFailure) {
        // A deleted salon has no JSON. Its row remains, so that its version never decreases.
        try database.execute(
            """
            CREATE TABLE salons (
                id TEXT PRIMARY KEY,
                version INTEGER NOT NULL,
                json TEXT
            ) STRICT, WITHOUT ROWID
            """
        )
        for var salon in salons {
            salon.version = 1
            let json = String(decoding: SalonCodec.encode(salon), as: UTF8.self)
            try database.run(insertSalon) { row in
                row.bind(1, salon.id.description)
                row.bind(2, json)
            }
        }
    }

    private static let insertSalon = SQL(
        """
        INSERT INTO salons (id, version, json) VALUES (?1, 1, ?2)
        ON CONFLICT (id) DO UPDATE SET json = excluded.json
        """
    )

    // New rows of appointments and keys are appended to their tables, so that the rows of a batch
    // share pages. In a table without row ids, each would change a page of its own.
    private static func replaceAppointments(in database: Database) throws(StorageFailure) {
        for statement in [
            "ALTER TABLE appointments RENAME TO first_appointments",
            """
            CREATE TABLE appointments (
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
                PRIMARY KEY (salon_id, id)
            ) STRICT
            """,
            """
            INSERT INTO appointments
            SELECT salon_id, id, instant, offset_minutes, minutes, status, version, phone, email,
                notes, idempotency_key
            FROM first_appointments ORDER BY salon_id, id
            """,
            "CREATE UNIQUE INDEX appointments_by_id ON appointments (id)",
            // It contains all columns that a search for busy intervals names, so that the search
            // reads nothing else. That includes the status, although it is the same in each row.
            """
            CREATE INDEX active_appointments
            ON appointments (salon_id, instant, minutes, id, status) WHERE status = 'booked'
            """,
        ] {
            try database.execute(statement)
        }
    }

    private static func replaceKeys(in database: Database) throws(StorageFailure) {
        // The order of the primary key lets a key be found without its salon. A used key has its
        // request and the resulting appointment; for a voided key these columns are NULL. A key
        // that was voided in all salons has an empty salon_id. The row id is the order of the first
        // use, by which keys expire.
        try database.execute(
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
                UNIQUE (key, caller, salon_id)
            ) STRICT
            """
        )
        // The first version did not store the length of the appointment with the response.
        try database.execute(
            """
            INSERT INTO idempotency_keys
            SELECT NULL, key, '', coalesce(json_extract(json, '$.salonId'), ''), created_at, method,
                path, NULL,
                json_set(json, '$.minutes', coalesce(
                    (SELECT minutes FROM first_appointments WHERE id = json_extract(json, '$.id')),
                    \(Salon.assumedSlotMinutes)
                ))
            FROM (SELECT *, CAST(response AS TEXT) AS json FROM idempotency ORDER BY created_at)
            """
        )
        try setFingerprints(in: database)
        for table in ["idempotency", "first_appointments"] {
            try database.execute("DROP TABLE \(table)")
        }
    }

    private static let setFingerprint = SQL(
        "UPDATE idempotency_keys SET body_fingerprint = ?2 WHERE key = ?1"
    )

    private static func setFingerprints(in database: Database) throws(StorageFailure) {
        let fingerprints = try database.query(
            "SELECT key, body FROM idempotency WHERE body IS NOT NULL"
        ) { row in
            (key: row.text(0), value: KeyedRequest.fingerprint(of: row.bytes(1)))
        }
        for (key, value) in fingerprints {
            try database.run(setFingerprint) { row in
                row.bind(1, key)
                row.bind(2, Int64(bitPattern: value))
            }
        }
    }
}
