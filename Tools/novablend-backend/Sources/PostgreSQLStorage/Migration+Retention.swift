extension Migration {
    static let retention = Migration(
        number: 3,
        summary: "Mark deleted appointments, and find the keys of an appointment",
        statements: [
            "ALTER TABLE appointments ADD COLUMN deleted_at BIGINT",
            """
            CREATE INDEX deleted_appointments ON appointments (deleted_at)
            WHERE deleted_at IS NOT NULL
            """,
            // The appointment that a request has changed. The one that a request has booked has its
            // key. So the index costs a booking nothing. The result is empty if the appointment was
            // deleted.
            """
            ALTER TABLE idempotency_keys ADD COLUMN appointment_id TEXT COLLATE "C"
            """,
            """
            UPDATE idempotency_keys SET appointment_id = substring(result FROM '"id":"([^"]+)"')
            WHERE method <> 'POST'
            """,
            """
            CREATE INDEX keys_of_changes ON idempotency_keys (appointment_id)
            WHERE appointment_id IS NOT NULL
            """,
        ]
    )
}
