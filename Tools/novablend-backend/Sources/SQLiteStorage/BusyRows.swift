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
    private static let isHeld = "salon_id = $1 AND expires_at > $5 AND \(overlaps)"

    /// The row of the salon, and a row for each time that is taken, in which the columns of a
    /// ``SalonRow`` are NULL. A join would read the JSON of the salon for each of them.
    static let agenda = SQL(
        """
        SELECT \(SalonRow.columns(unless: "$6")), NULL, NULL, NULL, NULL
        FROM salons WHERE id = $1
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
        WHERE \(isActive) AND id <> $6
        UNION ALL
        SELECT \(columns) FROM holds INDEXED BY holds_of_salons WHERE \(isHeld) AND id <> $7
        """
    )
    static let anyAfter = SQL(
        """
        SELECT true FROM appointments INDEXED BY active_appointments
        WHERE status = 'booked' AND salon_id = $1 AND instant > $3 LIMIT 1
        """
    )
}
