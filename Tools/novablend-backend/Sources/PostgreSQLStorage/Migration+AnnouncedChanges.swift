extension Migration {
    static let announcedChanges = Migration(
        number: 6,
        summary: "Let bookings wait for a change of their salon",
        statements: [
            // NULL if no change waits. It ends by itself if the program ends before the change.
            "ALTER TABLE salons ADD COLUMN changing_until BIGINT"
        ]
    )
}
