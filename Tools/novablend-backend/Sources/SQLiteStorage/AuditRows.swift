import BookingStorage
import Domain

/// Reads and writes the table of the audit log.
enum AuditRows {
    private static let columns = "changed_at, role, token_id, action, kind, id, salon_id, version"
    private static let insert = SQL(
        "INSERT INTO audit_log (\(columns)) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"
    )
    static let last = SQL(
        """
        SELECT \(columns) FROM audit_log
        WHERE changed_at >= ?1 AND (?2 IS NULL OR salon_id = ?2) ORDER BY number DESC LIMIT ?3
        """
    )

    private static let isExpired = "changed_at < ?1"
    private static let expiredCount = SQL("SELECT count(*) FROM audit_log WHERE \(isExpired)")
    private static let deleteExpired = SQL(
        """
        DELETE FROM audit_log
        WHERE \(isExpired) AND number IN (SELECT number FROM audit_log ORDER BY number LIMIT ?2)
        """
    )

    static func insert(_ entry: AuditEntry, in database: Database) throws(StorageFailure) {
        try database.run(insert) { row in
            row.bind(1, entry.time.secondsSince1970)
            row.bind(2, entry.role.rawValue)
            row.bind(3, entry.tokenID)
            row.bind(4, entry.action.rawValue)
            row.bind(5, entry.kind.rawValue)
            row.bind(6, entry.id)
            row.bind(7, entry.salonID?.description)
            row.bind(8, entry.version.map { Int64($0) })
        }
    }

    /// The last `limit` entries, in their order.
    static func last(
        since start: Timestamp?,
        of salon: SalonID?,
        limit: Int,
        in database: Database
    ) throws(StorageFailure) -> [AuditEntry] {
        let found = try database.rows(last) { row in
            row.bind(1, start?.secondsSince1970 ?? .min)
            row.bind(2, salon?.description)
            row.bind(3, Int64(limit))
        } _: {
            entry(from: $0)
        }
        return try found.reversed().map { (entry) throws(StorageFailure) in
            guard let entry else { throw StorageFailure(.corrupted, "an audit entry is invalid") }
            return entry
        }
    }

    /// The number of expired entries. It reads all entries.
    static func expiredCount(now: Timestamp, in database: Database) throws(StorageFailure) -> Int {
        try database.count(expiredCount) { $0.bind(1, oldestRetained(now)) }
    }

    /// Deletes the expired ones of the `limit` oldest entries, and returns their number.
    static func deleteExpired(
        limit: Int,
        now: Timestamp,
        in database: Database
    ) throws(StorageFailure) -> Int {
        try database.run(deleteExpired) { row in
            row.bind(1, oldestRetained(now))
            row.bind(2, Int64(limit))
        }
        return database.changedRows
    }

    private static func oldestRetained(_ now: Timestamp) -> Int64 {
        now.advanced(bySeconds: -AuditEntry.retentionSeconds).secondsSince1970
    }

    /// Nil if the row is invalid.
    private static func entry(from row: Statement) -> AuditEntry? {
        guard let role = AuditEntry.Role(rawValue: row.text(1)),
            let action = AuditEntry.Action(rawValue: row.text(3)),
            let kind = AuditEntry.Kind(rawValue: row.text(4))
        else { return nil }
        return AuditEntry(
            time: Timestamp(secondsSince1970: row.integer(0)),
            role: role,
            tokenID: row.optionalText(2),
            action: action,
            kind: kind,
            id: row.optionalText(5),
            salonID: row.isNull(6) ? nil : row.withBytes(6) { SalonID(utf8: $0) },
            version: row.isNull(7) ? nil : Int(clamping: row.integer(7))
        )
    }
}
