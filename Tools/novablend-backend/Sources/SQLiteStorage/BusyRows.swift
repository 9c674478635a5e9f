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
    /// Whether an appointment takes more than three hours. Such appointments are few, and have an
    /// index of their own. So all others are found in a few hours around a time.
    static let isLong = "buffer_before + minutes + buffer_after > \(BusyInterval.shortMinutes)"
    private static let active = """
        appointments INDEXED BY active_appointments WHERE status = 'booked' AND salon_id = $1
        """
    /// The appointments that overlap a range, each in one of the parts. Most start within the range,
    /// and nothing is calculated to find those. The bounds of the others let the index limit the search.
    private static let parts = [
        "\(active) AND instant >= $2 AND instant < $3",
        "\(active) AND instant > $4 AND instant < $2 AND \(overlaps)",
        "\(active) AND instant >= $3 AND instant < $5 AND \(overlaps)",
        """
        appointments INDEXED BY long_appointments
        WHERE status = 'booked' AND salon_id = $1 AND \(isLong) AND \(overlaps)
            AND instant > $6 AND instant < $7 AND NOT (instant > $4 AND instant < $5)
        """,
    ]
    private static let held = """
        holds INDEXED BY holds_of_salons WHERE salon_id = $1 AND expires_at > $8
            AND (instant >= $2 AND instant < $3 OR \(overlaps))
        """

    /// The row of the salon, and a row for each time that is taken, in which the columns of a
    /// ``SalonRow`` are NULL. A join would read the JSON of the salon for each of them.
    static let agenda = SQL(
        """
        SELECT \(SalonRow.columns(unless: "$9")), NULL, NULL, NULL, NULL
        FROM salons WHERE id = $1 UNION ALL
        \(union((parts + [held]).map { "SELECT NULL, NULL, NULL, NULL, \(columns) FROM \($0)" }))
        """
    )
    private static let times = """
        staff_id, instant - buffer_before * 60 AS busy_start,
        instant + (minutes + buffer_after) * 60 AS busy_end
        """
    /// The work of each staff member in a range, in seconds.
    static let work = SQL(
        """
        SELECT staff_id, sum(min(busy_end, $3) - max(busy_start, $2)) FROM (
            \(union(
                parts.map { "SELECT \(times) FROM \($0) AND id <> $9" }
                    + ["SELECT \(times) FROM \(held) AND id <> $10"]
            ))
        ) WHERE staff_id IS NOT NULL GROUP BY staff_id
        """
    )
    static let others = SQL(
        union(
            parts.map { "SELECT \(columns) FROM \($0) AND id <> $9" }
                + ["SELECT \(columns) FROM \(held) AND id <> $10"]
        )
    )

    private static func union(_ queries: [String]) -> String {
        queries.joined(separator: "\nUNION ALL\n")
    }
}
