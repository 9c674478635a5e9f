extension AuditEntry: StoredRow {
    /// The columns in the order of ``values`` and ``init(row:)``.
    private static let columns =
        "changed_at, role, token_id, action, kind, id, salon_id, version, count"

    package static let insert = SQL(
        "INSERT INTO audit_log (\(columns)) VALUES (\(SQL.parameters(for: columns)))"
    )
    /// The last entries, the latest first. All salons if $2 is NULL.
    package static let last = SQL(
        """
        SELECT \(columns) FROM audit_log
        WHERE changed_at >= $1 AND (CAST($2 AS TEXT) IS NULL OR salon_id = $2)
        ORDER BY number DESC LIMIT $3
        """
    )
    /// Deletes those of the $2 oldest entries that were made before $1.
    package static let deleteExpired = SQL(
        """
        DELETE FROM audit_log
        WHERE changed_at < $1 AND number IN (SELECT number FROM audit_log ORDER BY number LIMIT $2)
        """
    )

    package var values: [any SQLParameter] {
        [time, role.rawValue, tokenID, action.rawValue, kind.rawValue, id, salonID, version, count]
    }

    package init(row: some ColumnReader) throws(StorageFailure) {
        guard let role = Role(rawValue: row.text(1)), let action = Action(rawValue: row.text(3)),
            let kind = Kind(rawValue: row.text(4))
        else { throw StorageFailure(.corrupted, "an audit entry is invalid") }
        self.init(
            time: row.timestamp(0),
            role: role,
            tokenID: row.optionalText(2),
            action: action,
            kind: kind,
            id: row.optionalText(5),
            salonID: row.salonID(6),
            version: row.isNull(7) ? nil : row.int(7),
            count: row.isNull(8) ? nil : row.int(8)
        )
    }
}
