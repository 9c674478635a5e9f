import BookingStorage
import Domain

/// Writes the table of occupied grains. Its primary key decides which of several bookings gets a
/// staff member or a seat.
enum OccupancyRows {
    /// The grains in which someone has a resource.
    private struct OccupiedTime {
        /// The name of the staff member or seat. Their prefixes differ, so no names are equal.
        var resource: String
        var grains: Range<Int64>
    }

    private static let maximumRows = 16
    /// The statements that take 1 to ``maximumRows`` grains of a resource, beginning with grain
    /// `?2`, as far as they are free or their holds have expired.
    private static let take = (1...maximumRows).map { count in
        let rows = (0..<count).map { "(?1, ?2 + \($0), ?3, ?4, ?5)" }
        return SQL(
            """
            INSERT INTO occupancy (salon_id, grain, resource, owner, expires_at)
            VALUES \(rows.joined(separator: ", "))
            ON CONFLICT DO UPDATE SET owner = excluded.owner, expires_at = excluded.expires_at
            WHERE expires_at <= ?6
            """
        )
    }
    static let taken = SQL(
        """
        SELECT grain, resource FROM occupancy WHERE salon_id = ?1 AND grain >= ?2 AND grain < ?3
        AND (expires_at IS NULL OR expires_at > ?4)
        """
    )
    static let release = SQL(
        "DELETE FROM occupancy WHERE salon_id = ?1 AND grain >= ?2 AND grain < ?3 AND owner = ?4"
    )
    static let deletePast = SQL(
        """
        DELETE FROM occupancy WHERE (salon_id, grain, resource) IN (
            SELECT salon_id, grain, resource FROM occupancy
            WHERE salon_id = ?1 AND grain < ?2 LIMIT ?3
        )
        """
    )

    /// Takes what was allocated to a reservation. Returns false if one of its grains is taken; then
    /// the changes must be rolled back.
    static func take(
        _ allocation: Allocation,
        for reservation: some Reservation,
        now: Timestamp,
        in database: Database
    ) throws(StorageFailure) -> Bool {
        let grains = reservation.grains
        let taken: [OccupiedTime]
        switch allocation {
        case .staff(let id): taken = [OccupiedTime(resource: "staff \(id)", grains: grains)]
        case .seats(let count):
            taken = try freeSeats(count, for: reservation, now: now, in: database)
        }
        var rows = 0
        for time in taken {
            guard try take(time, for: reservation, now: now, in: database) else { return false }
            rows += time.grains.count
        }
        // Each booking deletes a few more grains of the past than it takes, so they do not accumulate
        // and no booking waits for a long deletion.
        try database.run(deletePast) { row in
            row.bind(1, reservation.booking.salonID.description)
            row.bind(2, now.grain)
            row.bind(3, Int64(rows + 8))
        }
        return true
    }

    private static func take(
        _ time: OccupiedTime,
        for reservation: some Reservation,
        now: Timestamp,
        in database: Database
    ) throws(StorageFailure) -> Bool {
        var first = time.grains.lowerBound
        while first < time.grains.upperBound {
            let count = min(Int(time.grains.upperBound - first), maximumRows)
            try database.run(take[count - 1]) { row in
                row.bind(1, reservation.booking.salonID.description)
                row.bind(2, first)
                row.bind(3, time.resource)
                row.bind(4, reservation.id)
                row.bind(5, reservation.expiry?.secondsSince1970)
                row.bind(6, now.secondsSince1970)
            }
            if database.changedRows < count { return false }
            first += Int64(count)
        }
        return true
    }

    /// The free seats with the lowest numbers, which may differ from one grain to the next.
    private static func freeSeats(
        _ count: Int,
        for reservation: some Reservation,
        now: Timestamp,
        in database: Database
    ) throws(StorageFailure) -> [OccupiedTime] {
        var taken: [Int64: Set<String>] = [:]
        try database.forEachRow(Self.taken) { row in
            row.bind(1, reservation.booking.salonID.description)
            row.bind(2, reservation.grains.lowerBound)
            row.bind(3, reservation.grains.upperBound)
            row.bind(4, now.secondsSince1970)
        } _: { row in
            taken[row.integer(0), default: []].insert(row.text(1))
        }
        var times: [OccupiedTime] = []
        for grain in reservation.grains {
            let numbers = (1...).lazy.filter { taken[grain]?.contains("seat \($0)") != true }
            for resource in numbers.prefix(count).map({ "seat \($0)" }) {
                let isNext = { (time: OccupiedTime) in
                    time.resource == resource && time.grains.upperBound == grain
                }
                if let index = times.lastIndex(where: isNext) {
                    times[index].grains = times[index].grains.lowerBound..<grain + 1
                } else {
                    times.append(OccupiedTime(resource: resource, grains: grain..<grain + 1))
                }
            }
        }
        return times
    }

    /// Releases all grains of a reservation.
    static func release(
        _ reservation: some Reservation,
        in database: Database
    ) throws(StorageFailure) {
        try database.run(release) { row in
            row.bind(1, reservation.booking.salonID.description)
            row.bind(2, reservation.grains.lowerBound)
            row.bind(3, reservation.grains.upperBound)
            row.bind(4, reservation.id)
        }
    }
}
