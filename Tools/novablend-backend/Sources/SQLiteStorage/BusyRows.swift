import BookingStorage
import Domain

/// Finds the times at which staff members and seats of salons are taken: by active appointments and
/// by unexpired holds. Only indexes are read.
enum BusyRows {
    /// The time that is taken, including buffers, and by whom.
    private static let columns = """
        instant - buffer_before * 60, instant + (minutes + buffer_after) * 60, staff_id, seats
        """
    private static let overlaps = """
        instant - buffer_before * 60 < $3 AND instant + (minutes + buffer_after) * 60 > $2
        """
    // Lengths and buffers are at most a day each. These bounds let the index limit the search.
    private static let isActive = """
        status = 'booked' AND salon_id = $1 AND instant > $2 - 2 * 86400 AND instant < $3 + 86400
        AND \(overlaps)
        """
    private static let isHeld = "salon_id = $1 AND expires_at > $4 AND \(overlaps)"

    /// The row of the salon, and a row for each time that is taken, in which the columns of a
    /// ``SalonRow`` are NULL. A join would read the JSON of the salon for each of them.
    static let agenda = SQL(
        """
        SELECT \(SalonRow.columns), NULL, NULL, NULL, NULL FROM salons WHERE id = $1
        UNION ALL
        SELECT NULL, NULL, NULL, NULL, \(columns) FROM appointments
            INDEXED BY active_appointments WHERE \(isActive)
        UNION ALL
        SELECT NULL, NULL, NULL, NULL, \(columns) FROM holds INDEXED BY holds_of_salons
            WHERE \(isHeld)
        """
    )
    static let others = SQL(
        """
        SELECT \(columns) FROM appointments INDEXED BY active_appointments
        WHERE \(isActive) AND id <> $5
        UNION ALL
        SELECT \(columns) FROM holds INDEXED BY holds_of_salons WHERE \(isHeld) AND id <> $5
        """
    )
    static let anyAfter = SQL(
        """
        SELECT true FROM appointments INDEXED BY active_appointments
        WHERE status = 'booked' AND salon_id = $1 AND instant > $2 LIMIT 1
        """
    )

    /// A salon, and the times that are taken in it from `start` to `end`.
    static func agenda(
        of salon: SalonID,
        from start: Timestamp,
        to end: Timestamp,
        now: Timestamp,
        in database: Database,
        _ cache: DecodedSalonCache
    ) throws(StorageFailure) -> SalonAgenda? {
        var found: Salon?
        var busy: [BusyInterval] = []
        try database.forEachRow(agenda, [salon, start, end, now]) { row throws(StorageFailure) in
            if row.isNull(0) {
                busy.append(BusyInterval(row: row, at: 4))
            } else {
                found = try SalonRow(row: row, cache).salon
            }
        }
        return found.map { SalonAgenda(salon: $0, busyIntervals: busy) }
    }

    /// The times that are taken in a salon, in part or entirely within `range`, except by the
    /// appointment or hold `id`.
    static func intervals(
        of salon: SalonID,
        in range: Range<Timestamp>,
        except id: String,
        now: Timestamp,
        in database: Database
    ) throws(StorageFailure) -> [BusyInterval] {
        try database.rows(others, salon, range.lowerBound, range.upperBound, now, id)
    }

    /// Whether an active appointment of the salon starts after `instant`.
    static func hasAppointments(
        of salon: SalonID,
        after instant: Timestamp,
        in database: Database
    ) throws(StorageFailure) -> Bool {
        try database.first(anyAfter, salon, instant) ?? false
    }
}
