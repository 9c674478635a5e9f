extension Migration {
    static let requestsOfHolds = Migration(
        number: 9,
        summary: "Compare repeated requests for holds by their bodies",
        statements: ["ALTER TABLE holds ADD COLUMN body_fingerprint BIGINT"]
    )
}
