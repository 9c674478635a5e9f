extension StoredToken: StoredRow {
    /// The columns in the order of ``values`` and ``init(row:)``.
    package static let columns =
        "id, hash, role, phone, salon_id, name, created_at, expires_at, revoked_at"

    private static let any = SQL("SELECT true FROM tokens LIMIT 1")
    /// Whether there is a token.
    package static var exists: Query<Bool> { Query(any, otherwise: false) }
    static let byID = SQL("SELECT \(columns) FROM tokens WHERE id = $1")
    static let page = SQL(
        """
        SELECT \(columns) FROM tokens WHERE (created_at, id) > ($1, $2)
        ORDER BY created_at, id LIMIT $3
        """
    )
    /// Whether the token `$1` was revoked.
    package static let isRevoked = SQL("SELECT revoked_at IS NOT NULL FROM tokens WHERE id = $1")
    /// Writes a row, unless a different token has the id. A token can be inserted again, because
    /// after a lost connection it is not known whether the first attempt succeeded.
    static let insert = SQL(
        """
        INSERT INTO tokens (\(columns)) VALUES (\(SQL.parameters(for: columns)))
        ON CONFLICT (id) DO UPDATE SET id = excluded.id WHERE tokens.hash = excluded.hash
        """
    )
    /// The failure if ``insert`` has written no row.
    static let notNew = StorageFailure(.other, "a different token has this id")
    static let revoke = SQL(
        "UPDATE tokens SET revoked_at = coalesce(revoked_at, $2) WHERE id = $1"
    )

    package var values: [any SQLParameter] {
        [id, hash, role.name, role.phone, role.salonID, name, createdAt, expiresAt, revokedAt]
    }

    package init(row: some ColumnReader) throws(StorageFailure) {
        let role = Principal.Role(
            name: row.text(2),
            phone: row.optionalText(3),
            salonID: row.salonID(4)
        )
        guard let role else { throw StorageFailure(.corrupted, "a stored token is invalid") }
        self.init(
            id: row.text(0),
            role: role,
            name: row.optionalText(5),
            hash: row.text(1),
            createdAt: row.timestamp(6),
            expiresAt: row.optionalTimestamp(7),
            revokedAt: row.optionalTimestamp(8)
        )
    }
}
