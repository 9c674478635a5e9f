extension Migration {
    static let clock = Migration(
        number: 7,
        summary: "Record what the clock has shown",
        statements: [
            // The time that the clock showed at an observation, and the seconds of uptime from then on
            // in which nothing is deleted.
            "CREATE TABLE clock (seen_at BIGINT NOT NULL, wait BIGINT NOT NULL)",
            "INSERT INTO clock VALUES (0, 0)",
        ]
    )
}
