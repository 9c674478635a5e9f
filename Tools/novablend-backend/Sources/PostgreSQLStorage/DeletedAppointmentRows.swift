import BookingStorage
import Domain

/// Reads and writes what remains of deleted appointments in their table.
enum DeletedAppointmentRows {
    private static let page = SQL(
        """
        SELECT salon_id, id, instant < $3 - minutes * 60 FROM appointments
        WHERE (salon_id, id) > ($1, $2) AND deleted_at IS NULL ORDER BY salon_id, id LIMIT $4
        """
    )
    private static let mark = SQL("UPDATE appointments SET deleted_at = $2 WHERE id = $1")
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
        let (salon, id) = (position?.salonID.description ?? "", position?.id ?? "")
        return Query(
            page,
            salon,
            id,
            end,
            limit,
            rows: { rows throws(DatabaseError) in
                let ids = rows.filter { $0.bool(2) }.map { $0.text(1) }
                guard rows.count == limit, let last = rows.last else {
                    return EndedAppointments(ids: ids, next: nil)
                }
                guard let salonID = last.salonID(0) else {
                    throw .corrupted("a stored appointment is invalid")
                }
                let next = AppointmentPosition(salonID: salonID, id: last.text(1))
                return EndedAppointments(ids: ids, next: next)
            }
        )
    }

    /// Marks the row of an appointment as deleted.
    static func mark(_ id: String, now: Timestamp) -> Query<Int> { Query(mark, id, now) }

    /// Deletes at most `limit` rows that are no longer needed, and returns the numbers of their changes.
    static func deleteExpired(limit: Int, now: Timestamp) -> Query<[Int64]> {
        let oldest = now.advanced(bySeconds: -DeletedAppointment.retentionSeconds)
        return Query(
            expiredOnes,
            oldest,
            limit,
            eachRow: { row throws(DatabaseError) in row.integer(0) }
        )
    }
}
