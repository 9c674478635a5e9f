import BookingStorage
import Domain

extension ExpiredRows {
    private static let counts = SQL(
        """
        SELECT
            (SELECT count(*) FROM holds
                WHERE expires_at < now.seconds - \(StoredHold.retentionSeconds)),
            (SELECT count(*) FROM idempotency_keys
                WHERE created_at < now.seconds - \(IdempotencyKey.retentionSeconds))
            + (SELECT count(*) FROM voided_keys
                WHERE created_at < now.seconds - \(IdempotencyKey.retentionSeconds)),
            (SELECT count(*) FROM appointments
                WHERE deleted_at < now.seconds - \(DeletedAppointment.retentionSeconds)),
            (SELECT count(*) FROM audit_log
                WHERE changed_at < now.seconds - \(AuditEntry.retentionSeconds))
        FROM (SELECT \(DatabaseClock.sql(1)) AS seconds) AS now
        """
    )

    /// The numbers of rows that are no longer needed.
    static func count(now: Timestamp?) -> Query<ExpiredRows> {
        Query(
            counts,
            now,
            rows: { rows in
                var expired = ExpiredRows()
                guard let row = rows.first else { return expired }
                expired.holds = Int(clamping: row.integer(0))
                expired.keys = Int(clamping: row.integer(1))
                expired.deletedAppointments = Int(clamping: row.integer(2))
                expired.auditEntries = Int(clamping: row.integer(3))
                return expired
            }
        )
    }
}
