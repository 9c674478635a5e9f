import BookingStorage
import Domain

/// Finds the times at which salons are booked. Only the index of active appointments is read.
enum BusyRows {
    // No appointment is longer than a day. This lower bound lets the index limit the search.
    private static let overlapping = """
        FROM appointments INDEXED BY active_appointments
        WHERE status = 'booked' AND salon_id = ?1 AND instant > ?2 - 86401 AND instant < ?3
            AND instant + minutes * 60 > ?2
        """
    static let intervals = SQL("SELECT instant, minutes \(overlapping)")
    static let anyOther = SQL("SELECT 1 \(overlapping) AND id <> ?4 LIMIT 1")
    static let anyAfter = SQL(
        """
        SELECT 1 FROM appointments INDEXED BY active_appointments
        WHERE status = 'booked' AND salon_id = ?1 AND instant > ?2 LIMIT 1
        """
    )

    /// The times of the salon's active appointments that overlap the time from `start` to `end`.
    static func intervals(
        of salon: SalonID,
        from start: Timestamp,
        to end: Timestamp,
        in database: Database
    ) throws(StorageFailure) -> [BusyInterval] {
        try database.rows(intervals) { row in
            row.bind(1, salon.description)
            row.bind(2, start.secondsSince1970)
            row.bind(3, end.secondsSince1970)
        } _: { row in
            BusyInterval(
                start: Timestamp(secondsSince1970: row.integer(0)),
                minutes: Int(clamping: row.integer(1))
            )
        }
    }

    /// Whether an active appointment of the salon overlaps `interval`, other than `id`.
    static func isOccupied(
        _ interval: BusyInterval,
        of salon: SalonID,
        except id: String,
        in database: Database
    ) throws(StorageFailure) -> Bool {
        try database.first(anyOther) { row in
            row.bind(1, salon.description)
            row.bind(2, interval.start.secondsSince1970)
            row.bind(3, interval.end.secondsSince1970)
            row.bind(4, id)
        } _: { _ in
            true
        } ?? false
    }

    /// Whether an active appointment of the salon starts after `instant`.
    static func hasAppointments(
        of salon: SalonID,
        after instant: Timestamp,
        in database: Database
    ) throws(StorageFailure) -> Bool {
        try database.first(anyAfter) { row in
            row.bind(1, salon.description)
            row.bind(2, instant.secondsSince1970)
        } _: { _ in
            true
        } ?? false
    }
}
