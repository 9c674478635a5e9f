import BookingStorage

extension Migration {
    static let retention = Migration(
        number: 6,
        summary: "Mark deleted appointments, and find the keys of an appointment"
    ) { database, _ throws(StorageFailure) in
        for statement in [
            "ALTER TABLE appointments ADD COLUMN deleted_at INTEGER",
            """
            CREATE INDEX deleted_appointments ON appointments (deleted_at)
            WHERE deleted_at IS NOT NULL
            """,
            // Positions before this number are too old, because rows of later changes are deleted.
            "ALTER TABLE change_feed ADD COLUMN first_number INTEGER NOT NULL DEFAULT 0",
            // The appointment that a request has changed. The one that a request has booked has its
            // key. So the index costs a booking nothing. The result is empty if the appointment was
            // deleted.
            "ALTER TABLE idempotency_keys ADD COLUMN appointment_id TEXT",
            """
            UPDATE idempotency_keys SET appointment_id = json_extract(result, '$.id')
            WHERE method <> 'POST'
            """,
            """
            CREATE INDEX keys_of_changes ON idempotency_keys (appointment_id)
            WHERE appointment_id IS NOT NULL
            """,
        ] {
            try database.execute(statement)
        }
    }
}
