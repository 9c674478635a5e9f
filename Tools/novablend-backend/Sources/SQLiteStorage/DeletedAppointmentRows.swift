import BookingStorage
import Domain

/// Deletes what remains of deleted appointments.
enum DeletedAppointmentRows {
    static let deleteExpired = SQL(
        """
        DELETE FROM appointments
        WHERE number IN (
            SELECT number FROM appointments
            WHERE deleted_at < $1 AND change < \(ChangeRows.lastNumber) LIMIT $2
        )
        RETURNING change
        """
    )

    /// Deletes at most `limit` rows that are no longer needed, and returns their number. Positions
    /// from before their changes become too old.
    static func deleteExpired(
        limit: Int,
        now: Timestamp,
        in database: Database
    ) throws(StorageFailure) -> Int {
        let oldest = now.advanced(bySeconds: -DeletedAppointment.retentionSeconds)
        let changes: [Int64] = try database.rows(deleteExpired, oldest, limit)
        if let last = changes.max() { try ChangeRows.forget(last, in: database) }
        return changes.count
    }
}
