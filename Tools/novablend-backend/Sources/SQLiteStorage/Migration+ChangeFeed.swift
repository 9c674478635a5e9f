import BookingStorage

extension Migration {
    static let changeFeed = Migration(
        number: 4,
        summary: "Number the changes of salons and appointments"
    ) { database, _ throws(StorageFailure) in
        // A change gets a greater number than all earlier ones, so the indexes only grow at their
        // ends. What has not changed since this migration has the number 0.
        for statement in [
            "ALTER TABLE appointments ADD COLUMN change INTEGER NOT NULL DEFAULT 0",
            "CREATE INDEX changed_appointments ON appointments (change)",
            "ALTER TABLE salons ADD COLUMN change INTEGER NOT NULL DEFAULT 0",
            "CREATE INDEX changed_salons ON salons (change)",
            "CREATE TABLE change_feed (epoch TEXT NOT NULL) STRICT",
            "INSERT INTO change_feed VALUES ('')",
        ] {
            try database.execute(statement)
        }
        try ChangeRows.beginEpoch(in: database)
    }
}
