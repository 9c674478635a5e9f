extension Migration {
    static let changeFeed = Migration(
        number: 5,
        summary: "Number the changes of salons and appointments",
        statements: numbers(of: "appointments") + numbers(of: "salons") + [
            """
            CREATE TABLE change_feed (
                epoch UUID NOT NULL DEFAULT gen_random_uuid(),
                timeline TEXT NOT NULL,
                is_synchronous BOOLEAN NOT NULL,
                -- Positions before this one are too old, because the row of a deletion was deleted.
                first_number XID8 NOT NULL DEFAULT '0'
            )
            """,
            """
            INSERT INTO change_feed (timeline, is_synchronous)
            VALUES (\(ServerHistory.timeline), \(ServerHistory.isSynchronous))
            """,
        ]
    )

    // What has not changed since this migration has the number 0. New rows have that of the
    // transaction.
    private static func numbers(of table: String) -> [String] {
        [
            "ALTER TABLE \(table) ADD COLUMN change XID8 NOT NULL DEFAULT '0'",
            "ALTER TABLE \(table) ALTER COLUMN change SET DEFAULT \(ChangeRows.thisChange)",
            "CREATE INDEX changed_\(table) ON \(table) (change)",
        ]
    }
}
