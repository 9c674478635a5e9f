import BookingStorage
import Domain

/// Finds the times at which staff members and seats of salons are taken: by active appointments and
/// by unexpired holds.
enum BusyRows {
    private static let columns = "busy_start, busy_end, staff_id, seats"
    /// The length of an appointment and each of its buffers are at most a day, so it does not start
    /// to occupy time more than three days before its end.
    private static let maximumSeconds: Int64 = 3 * 86_400
    private static let overlaps = "busy_start > $4 AND busy_start < $3 AND busy_end > $2"
    private static let isActive = "status = 'booked' AND salon_id = $1 AND \(overlaps)"
    private static let isHeld =
        "salon_id = $1 AND expires_at > \(DatabaseClock.sql(5)) AND \(overlaps)"

    /// Begins with the columns of a ``SalonRow``. They are NULL in the rows of times.
    static let agendaOfSalon = SQL(
        """
        SELECT id, version, json IS NULL, CASE WHEN version = $6 THEN NULL ELSE json END,
            NULL::bigint, NULL::bigint, NULL, NULL::bigint
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
        WHERE status = 'booked' AND salon_id = $1 AND busy_start > $3 AND instant > $2 LIMIT 1
        """
    )

    /// A salon, and the times that are taken in it from `start` to `end`, at one moment.
    static func agenda(
        of salon: SalonID,
        from start: Timestamp,
        to end: Timestamp,
        now: Timestamp?,
        _ cache: DecodedSalonCache
    ) -> Query<SalonAgenda?> {
        let earliest = start.advanced(bySeconds: -maximumSeconds)
        let cached = cache.latest(salon)
        return Query(
            agendaOfSalon,
            salon,
            start,
            end,
            earliest,
            now,
            cached?.version,
            rows: { rows throws(StorageFailure) in
                var found: Salon?
                var busy: [BusyInterval] = []
                for row in rows {
                    if row.isNull(0) {
                        busy.append(BusyInterval(row: row, at: 4))
                    } else {
                        found = try SalonRow(row: row, cached: cached, cache).salon
                    }
                }
                return found.map { SalonAgenda(salon: $0, busyIntervals: busy) }
            }
        )
    }

    /// The times that are taken in a salon, in part or entirely within `range`, except by the
    /// appointment and the hold with these ids.
    static func intervals(
        of salon: SalonID,
        in range: Range<Timestamp>,
        exceptAppointment appointment: String = "",
        exceptHold hold: String = "",
        now: Timestamp?
    ) -> Query<[BusyInterval]> {
        let earliest = range.lowerBound.advanced(bySeconds: -maximumSeconds)
        return Query(
            others,
            salon,
            range.lowerBound,
            range.upperBound,
            earliest,
            now,
            appointment,
            hold
        )
    }

    /// Whether an active appointment of the salon starts after `instant`.
    static func hasAppointments(of salon: SalonID, after instant: Timestamp) -> Query<Bool> {
        let earliest = instant.advanced(bySeconds: -86_400 - 1)
        return Query(anyAfter, salon, instant, earliest, otherwise: false)
    }
}
