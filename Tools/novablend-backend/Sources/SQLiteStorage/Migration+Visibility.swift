import BookingStorage

extension Migration {
    // The digits of a phone number without leading zeros, as in `BookingRequest.caller`. A phone
    // number has no other characters.
    private static let caller: String = {
        let separators = ["+", " ", "-", ".", "/", "(", ")"]
        let digits = separators.reduce("phone") { "replace(\($0), '\($1)', '')" }
        return "ltrim(\(digits), '0')"
    }()

    static let visibility = Migration(
        number: 7,
        summary: "Find the appointments of a customer, separate the keys of holds by caller, and "
            + "record who has changed what"
    ) { database, _ throws(StorageFailure) in
        for statement in [
            // SQLite computes it, so it is also right for rows of a program that does not know it.
            """
            ALTER TABLE appointments ADD COLUMN caller TEXT
            GENERATED ALWAYS AS (\(caller)) VIRTUAL
            """,
            // The first column groups 1,024 appointments that were booked one after the other. So the
            // bookings of a transaction change few pages of the index, however many are stored.
            // Callers are looked up in each group.
            """
            CREATE INDEX appointments_of_callers
            ON appointments (\(AppointmentRows.group), caller)
            """,
            "ALTER TABLE holds ADD COLUMN key_caller TEXT NOT NULL DEFAULT ''",
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
        ] {
            try database.execute(statement)
        }
    }
}
