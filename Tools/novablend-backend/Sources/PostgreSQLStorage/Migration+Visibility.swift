extension Migration {
    static let visibility = Migration(
        number: 4,
        summary: "Find the appointments of a customer, separate the keys of holds by caller, and "
            + "record who has changed what",
        statements: [
            // The digits of the phone number without leading zeros, as in `BookingRequest.caller`. A
            // phone number has no other characters. PostgreSQL computes it, so it is also right for
            // rows of an instance that does not know it.
            """
            ALTER TABLE appointments ADD COLUMN caller TEXT COLLATE "C"
            GENERATED ALWAYS AS (ltrim(translate(phone, '+ -./()', ''), '0')) STORED
            """,
            // The first column is the time of the booking, in units of about 5 hours, because ids begin
            // with it. So bookings change few pages of the index, however many are stored. Callers
            // are looked up in each unit.
            "CREATE INDEX appointments_of_callers ON appointments (left(id, 6), caller)",
            "ALTER TABLE holds ADD COLUMN key_caller TEXT COLLATE \"C\" NOT NULL DEFAULT ''",
            // The numbers have about the order of the commits. Those of transactions that are rolled
            // back are missing.
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
    )
}
