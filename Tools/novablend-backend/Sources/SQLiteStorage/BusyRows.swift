import BookingStorage
import Domain

/// Finds the times at which salons are booked. Only the index of active appointments is read.
enum BusyRows {
    // No appointment is longer than a day. This lower bound lets the index limit the search.
    private static let isOverlapping = """
        status = 'booked' AND salon_id = ?1 AND instant > ?2 - 86401 AND instant < ?3
        AND instant + minutes * 60 > ?2
        """
    /// Begins with the columns that ``SalonRows`` reads.
    static let agenda = SQL(
        """
        SELECT salons.id, salons.version, json, instant, minutes
        FROM salons LEFT JOIN appointments INDEXED BY active_appointments ON \(isOverlapping)
        WHERE salons.id = ?1 AND json IS NOT NULL
        """
    )
    static let anyOther = SQL(
        """
        SELECT 1 FROM appointments INDEXED BY active_appointments
        WHERE \(isOverlapping) AND id <> ?4 LIMIT 1
        """
    )
    static let anyAfter = SQL(
        """
        SELECT 1 FROM appointments INDEXED BY active_appointments
        WHERE status = 'booked' AND salon_id = ?1 AND instant > ?2 LIMIT 1
        """
    )

    /// A salon, and the times of its active appointments that overlap the time from `start` to
    /// `end`.
    static func agenda(
        of salon: SalonID,
        from start: Timestamp,
        to end: Timestamp,
        in database: Database,
        _ cache: SalonCache
    ) throws(StorageFailure) -> SalonAgenda? {
        var found: SalonRows.Row?
        var isFound = false
        var busy: [BusyInterval] = []
        try database.forEachRow(agenda) { row in
            row.bind(1, salon.description)
            row.bind(2, start.secondsSince1970)
            row.bind(3, end.secondsSince1970)
        } _: { row in
            if !isFound { found = SalonRows.row(from: row, cache) }
            isFound = true
            // Without appointments, the only row has no instant.
            if row.isNull(3) { return }
            let interval = BusyInterval(
                start: Timestamp(secondsSince1970: row.integer(3)),
                minutes: Int(clamping: row.integer(4))
            )
            busy.append(interval)
        }
        guard isFound else { return nil }
        return try SalonRows.valid(found).salon.map { SalonAgenda(salon: $0, busyIntervals: busy) }
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
