import BookingStorage
import Domain

/// Reads and writes the table of the audit log.
enum AuditRows {
    private static let columns = "changed_at, role, token_id, action, kind, id, salon_id, version"
    private static let insertRow = SQL(
        "INSERT INTO audit_log (\(columns)) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)"
    )
    private static let lastRows = SQL(
        """
        SELECT \(columns) FROM audit_log
        WHERE changed_at >= $1 AND ($2::text IS NULL OR salon_id = $2) ORDER BY number DESC LIMIT $3
        """
    )

    private static let expiredRows = SQL(
        """
        DELETE FROM audit_log
        WHERE changed_at < $1 AND number IN (SELECT number FROM audit_log ORDER BY number LIMIT $2)
        """
    )

    /// Deletes the expired ones of the `limit` oldest entries.
    static func deleteExpired(limit: Int, now: Timestamp) -> Query<Int> {
        Query(expiredRows, now.advanced(bySeconds: -AuditEntry.retentionSeconds), limit)
    }

    /// Records a change of a request. Sends nothing if a program on the same machine has made it
    /// without a token.
    static func insert(
        _ change: @autoclosure () -> AuditedChange,
        by principal: Principal,
        at now: Timestamp
    ) -> Query<Int> {
        if principal.tokenID == nil { return .value(0) }
        return change().entry(at: now, by: principal).map(insert) ?? .value(0)
    }

    static func insert(_ entry: AuditEntry) -> Query<Int> {
        Query(
            insertRow,
            entry.time,
            entry.role.rawValue,
            entry.tokenID,
            entry.action.rawValue,
            entry.kind.rawValue,
            entry.id,
            entry.salonID,
            entry.version
        )
    }

    /// The last `limit` entries, in their order.
    static func last(
        since start: Timestamp?,
        of salon: SalonID?,
        limit: Int
    ) -> Query<[AuditEntry]> {
        Query(
            lastRows,
            start ?? Timestamp(secondsSince1970: .min),
            salon,
            limit,
            rows: { rows throws(DatabaseError) in
                var entries: [AuditEntry] = []
                for row in rows.reversed() { entries.append(try entry(from: row)) }
                return entries
            }
        )
    }

    private static func entry(from row: QueryResult.Row) throws(DatabaseError) -> AuditEntry {
        guard let role = AuditEntry.Role(rawValue: row.text(1)),
            let action = AuditEntry.Action(rawValue: row.text(3)),
            let kind = AuditEntry.Kind(rawValue: row.text(4))
        else { throw .corrupted("an audit entry is invalid") }
        return AuditEntry(
            time: row.timestamp(0),
            role: role,
            tokenID: row.optionalText(2),
            action: action,
            kind: kind,
            id: row.optionalText(5),
            salonID: row.isNull(6) ? nil : row.salonID(6),
            version: row.isNull(7) ? nil : Int(clamping: row.integer(7))
        )
    }
}
