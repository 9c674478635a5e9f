import BookingStorage
import Domain

/// Finds appointments that have ended, and deletes what remains of deleted ones.
enum DeletedAppointmentRows {
    private static let expiredOnes = SQL(
        """
        DELETE FROM appointments USING (
            SELECT salon_id, id FROM appointments WHERE deleted_at < $1
            ORDER BY deleted_at LIMIT $2 FOR UPDATE SKIP LOCKED
        ) AS old
        WHERE (appointments.salon_id, appointments.id) = (old.salon_id, old.id)
        RETURNING change
        """
    )

    /// Which of the first `limit` appointments after a position ended before an instant.
    static func endedAppointments(
        before end: Timestamp,
        after position: AppointmentPosition?,
        limit: Int
    ) -> Query<EndedAppointments> {
        let (salon, id) = position.values
        return Query(
            ExaminedAppointment.page,
            salon,
            id,
            end,
            limit,
            rows: { rows throws(StorageFailure) in
                let page = try rows.map { row throws(StorageFailure) in
                    try ExaminedAppointment(row: row)
                }
                return EndedAppointments(page, limit: limit)
            }
        )
    }

    /// Deletes at most `limit` rows that are no longer needed, and returns the numbers of their changes.
    static func deleteExpired(limit: Int, now: Timestamp) -> Query<[Int64]> {
        let oldest = now.advanced(bySeconds: -DeletedAppointment.retentionSeconds)
        return Query(expiredOnes, oldest, limit)
    }
}
