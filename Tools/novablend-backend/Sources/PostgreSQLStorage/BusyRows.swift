import BookingStorage
import Domain

/// Finds the times at which staff members and seats of salons are taken: by active appointments and
/// by unexpired holds.
enum BusyRows {
    private static let columns = "busy_start, busy_end, staff_id, seats"
    private static let overlaps = "busy_start > $4 AND busy_start < $3 AND busy_end > $2"
    private static let isActive = "status = 'booked' AND salon_id = $1 AND \(overlaps)"
    private static let isHeld =
        "salon_id = $1 AND expires_at > \(DatabaseClock.sql(5)) AND \(overlaps)"

    /// Reads the salon and the taken times. Each row begins with the columns of a ``SalonRow``,
    /// which are NULL in the rows of taken times.
    static let agendaOfSalon = SQL(
        """
        SELECT \(SalonRow.columns(unless: "$6")), NULL::bigint, NULL::bigint, NULL, NULL::bigint
        FROM salons WHERE id = $1
        UNION ALL
        SELECT NULL, NULL, NULL, NULL, \(columns) FROM appointments WHERE \(isActive)
        UNION ALL
        SELECT NULL, NULL, NULL, NULL, \(columns) FROM holds WHERE \(isHeld)
        """
    )
    static let others = SQL(
        """
        SELECT \(columns) FROM appointments WHERE \(isActive) AND id <> $6
        UNION ALL
        SELECT \(columns) FROM holds WHERE \(isHeld) AND id <> $7
        """
    )
    static let anyAfter = SQL(
        """
        SELECT true FROM appointments
        WHERE status = 'booked' AND salon_id = $1 AND busy_start > $2 AND instant > $3 LIMIT 1
        """
    )
}
