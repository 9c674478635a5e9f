import BookingStorage
import Domain

/// Reads and writes what remains of deleted appointments in their table.
enum DeletedAppointmentRows {
    static let page = SQL(
        """
        SELECT salon_id, id, instant < ?3 - minutes * 60 FROM appointments
        WHERE (salon_id, id) > (?1, ?2) AND deleted_at IS NULL ORDER BY salon_id, id LIMIT ?4
        """
    )
    private static let mark = SQL("UPDATE appointments SET deleted_at = ?2 WHERE id = ?1")
    private static let isExpired = "deleted_at < ?1 AND change < \(ChangeRows.lastNumber)"
    private static let expiredCount = SQL(
        "SELECT count(*) FROM appointments WHERE \(isExpired)"
    )
    static let deleteExpired = SQL(
        """
        DELETE FROM appointments
        WHERE number IN (SELECT number FROM appointments WHERE \(isExpired) LIMIT ?2)
        RETURNING change
        """
    )

    /// Which of the first `limit` appointments after a position ended before an instant.
    static func endedAppointments(
        before end: Timestamp,
        after position: AppointmentPosition?,
        limit: Int,
        in database: Database
    ) throws(StorageFailure) -> EndedAppointments {
        let found = try database.rows(page) { row in
            row.bind(1, position?.salonID.description ?? "")
            row.bind(2, position?.id ?? "")
            row.bind(3, end.secondsSince1970)
            row.bind(4, Int64(limit))
        } _: { row in
            (salonID: row.withBytes(0) { SalonID(utf8: $0) }, id: row.text(1), row.integer(2) != 0)
        }
        let ids = found.filter(\.2).map(\.id)
        guard found.count == limit, let last = found.last else {
            return EndedAppointments(ids: ids, next: nil)
        }
        guard let salonID = last.salonID else {
            throw StorageFailure(.corrupted, "a stored appointment is invalid")
        }
        return EndedAppointments(ids: ids, next: AppointmentPosition(salonID: salonID, id: last.id))
    }

    /// Marks the row of an appointment as deleted.
    static func mark(_ id: String, now: Timestamp, in database: Database) throws(StorageFailure) {
        try database.run(mark) { row in
            row.bind(1, id)
            row.bind(2, now.secondsSince1970)
        }
    }

    /// The number of rows that are no longer needed.
    static func expiredCount(now: Timestamp, in database: Database) throws(StorageFailure) -> Int {
        try database.count(expiredCount) { $0.bind(1, oldestRetained(now)) }
    }

    /// Deletes at most `limit` rows that are no longer needed, and returns their number. Positions
    /// from before their changes become too old.
    static func deleteExpired(
        limit: Int,
        now: Timestamp,
        in database: Database
    ) throws(StorageFailure) -> Int {
        let changes = try database.rows(deleteExpired) { row in
            row.bind(1, oldestRetained(now))
            row.bind(2, Int64(limit))
        } _: {
            $0.integer(0)
        }
        if let last = changes.max() { try ChangeRows.forget(last, in: database) }
        return changes.count
    }

    private static func oldestRetained(_ now: Timestamp) -> Int64 {
        now.advanced(bySeconds: -DeletedAppointment.retentionSeconds).secondsSince1970
    }
}
