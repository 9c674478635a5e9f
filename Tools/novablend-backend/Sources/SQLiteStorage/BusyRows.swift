import BookingStorage
import Domain

/// Finds the times at which staff members and seats of salons are taken: by active appointments and
/// by unexpired holds. Only indexes are read.
enum BusyRows {
    /// The time that is taken, including buffers, and by whom.
    private static let columns = """
        instant - buffer_before * 60, instant + (minutes + buffer_after) * 60, staff_id, seats
        """
    // The first comparisons suffice for most rows, and are faster than the calculations.
    private static let overlaps = """
        (instant >= $2 AND instant < $3
            OR instant - buffer_before * 60 < $3 AND instant + (minutes + buffer_after) * 60 > $2)
        """
    /// Whether an appointment takes more than three hours. Such appointments are few, and have an
    /// index of their own. So all others are found in a few hours around a time.
    static let isLong = "buffer_before + minutes + buffer_after > \(BusyInterval.shortMinutes)"
    // The bounds let the index limit the search.
    private static let near = """
        appointments INDEXED BY active_appointments
        WHERE status = 'booked' AND salon_id = $1 AND \(overlaps)
            AND instant > $4 AND instant < $5
        """
    private static let far = """
        appointments INDEXED BY long_appointments
        WHERE status = 'booked' AND salon_id = $1 AND \(isLong) AND \(overlaps)
            AND instant > $6 AND instant < $7 AND NOT (instant > $4 AND instant < $5)
        """
    private static let isHeld = "salon_id = $1 AND expires_at > $8 AND \(overlaps)"

    /// The row of the salon, and a row for each time that is taken, in which the columns of a
    /// ``SalonRow`` are NULL. A join would read the JSON of the salon for each of them.
    static let agenda = SQL(
        """
        SELECT \(SalonRow.columns(unless: "$9")), NULL, NULL, NULL, NULL
        FROM salons WHERE id = $1
        UNION ALL
        SELECT NULL, NULL, NULL, NULL, \(columns) FROM \(near)
        UNION ALL
        SELECT NULL, NULL, NULL, NULL, \(columns) FROM \(far)
        UNION ALL
        SELECT NULL, NULL, NULL, NULL, \(columns) FROM holds INDEXED BY holds_of_salons
            WHERE \(isHeld)
        """
    )
    static let others = SQL(
        """
        SELECT \(columns) FROM \(near) AND id <> $9
        UNION ALL
        SELECT \(columns) FROM \(far) AND id <> $9
        UNION ALL
        SELECT \(columns) FROM holds INDEXED BY holds_of_salons WHERE \(isHeld) AND id <> $10
        """
    )
}
