import BookingStorage

extension Migration {
    static let clock = Migration(
        number: 8,
        summary: "Record which occupied grains are complete, and what the clock has shown"
    ) { database, _ throws(StorageFailure) in
        for statement in [
            // From this grain on, the table of occupied grains is complete. Earlier versions did not
            // record what they had deleted, so it is complete only after the last appointment.
            "ALTER TABLE salons ADD COLUMN complete_from INTEGER NOT NULL DEFAULT 0",
            """
            UPDATE salons SET complete_from = ifnull((
                SELECT max((instant + (minutes + buffer_after) * 60) / 300) + 1 FROM appointments
                WHERE salon_id = salons.id AND status = 'booked'
            ), 0)
            """,
            // The time that the clock showed at an observation, and the seconds of uptime from then on
            // in which nothing is deleted.
            "CREATE TABLE clock (seen_at INTEGER NOT NULL, wait INTEGER NOT NULL) STRICT",
            "INSERT INTO clock VALUES (0, 0)",
        ] {
            try database.execute(statement)
        }
    }
}
