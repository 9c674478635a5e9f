import BookingStorage
import Domain

/// Finds the times at which staff members and seats of salons are taken: by active appointments and
/// by unexpired holds.
enum BusyRows {
    private static let columns = "busy_start, busy_end, staff_id, seats"
    private static let overlaps = "busy_start < $3 AND busy_end > $2"
    /// Whether an appointment takes more than three hours. Such appointments are few, and have an
    /// index of their own. So all others are found in a few hours around a time.
    static let isLong = "busy_end - busy_start > \(BusyInterval.shortMinutes * 60)"
    // The bounds let the index limit the search.
    private static let near = """
        appointments WHERE status = 'booked' AND salon_id = $1 AND \(overlaps)
            AND instant > $4 AND instant < $5
        """
    private static let far = """
        appointments WHERE status = 'booked' AND salon_id = $1 AND \(isLong) AND \(overlaps)
            AND instant > $6 AND instant < $7 AND NOT (instant > $4 AND instant < $5)
        """
    private static let isHeld =
        "salon_id = $1 AND expires_at > \(DatabaseClock.sql(8)) AND \(overlaps)"

    /// Reads the salon and the taken times. Each row begins with the columns of a ``SalonRow``,
    /// which are NULL in the rows of taken times.
    static let agendaOfSalon = SQL(
        """
        SELECT \(SalonRow.columns(unless: "$9")), NULL::bigint, NULL::bigint, NULL, NULL::bigint
        FROM salons WHERE id = $1
        UNION ALL
        SELECT NULL, NULL, NULL, NULL, \(columns) FROM \(near)
        UNION ALL
        SELECT NULL, NULL, NULL, NULL, \(columns) FROM \(far)
        UNION ALL
        SELECT NULL, NULL, NULL, NULL, \(columns) FROM holds WHERE \(isHeld)
        """
    )
    private static let times = "staff_id, busy_start, busy_end"
    /// The work of each staff member in a range, in seconds.
    static let work = SQL(
        """
        SELECT staff_id, sum(least(busy_end, $3) - greatest(busy_start, $2))::bigint FROM (
            SELECT \(times) FROM \(near) AND id <> $9
            UNION ALL
            SELECT \(times) FROM \(far) AND id <> $9
            UNION ALL
            SELECT \(times) FROM holds WHERE \(isHeld) AND id <> $10
        ) AS taken WHERE staff_id IS NOT NULL GROUP BY staff_id
        """
    )
    static let others = SQL(
        """
        SELECT \(columns) FROM \(near) AND id <> $9
        UNION ALL
        SELECT \(columns) FROM \(far) AND id <> $9
        UNION ALL
        SELECT \(columns) FROM holds WHERE \(isHeld) AND id <> $10
        """
    )
}
