import BookingStorage
import Domain

/// Reads and writes the table of occupied grains. Its primary key decides which of several bookings
/// gets a staff member or a seat. Salons and owners are the numbers of their rows.
enum OccupancyRows {
    /// A seat is a number in the table, and a staff member is a text. So they are never equal.
    enum Resource: Hashable, SQLParameter {
        case seat(Int64)
        case staff(String)

        var sqlValue: SQLValue {
            switch self {
            case .seat(let number): .integer(number)
            case .staff(let id): .text(id)
            }
        }
    }

    /// The grains in which someone has a resource.
    struct OccupiedTime {
        var resource: Resource
        var grains: Range<Int64>
    }

    private static let grainsPerDay: Int64 = 288
    private static let maximumRows = 16
    /// The statements that take 1 to ``maximumRows`` grains of a resource, beginning with grain
    /// `$2`, as far as they are free or their holds have expired.
    private static let take = (1...maximumRows).map { count in
        let rows = (0..<count).map { "($1, $2 + \($0), $3, $4, $5)" }
        return SQL(
            """
            INSERT INTO occupancy (salon, grain, resource, owner, expires_at)
            VALUES \(rows.joined(separator: ", "))
            ON CONFLICT DO UPDATE SET owner = excluded.owner, expires_at = excluded.expires_at
            WHERE expires_at <= $6
            """
        )
    }
    static let taken = SQL(
        """
        SELECT grain, resource, typeof(resource) = 'integer' FROM occupancy WHERE salon = $1 AND grain >= $2 AND grain < $3
        AND (expires_at IS NULL OR expires_at > $4)
        """
    )
    static let release = SQL(
        """
        DELETE FROM occupancy WHERE salon = (SELECT number FROM salons WHERE id = $1)
        AND grain >= $2 AND grain < $3 AND owner = coalesce(
            (SELECT number FROM appointments WHERE id = $4),
            (SELECT -number FROM holds WHERE id = $4)
        )
        """
    )
    static let deletePast = SQL(
        """
        DELETE FROM occupancy WHERE salon = $1 AND grain <= coalesce(
            (SELECT grain FROM occupancy WHERE salon = $1 AND grain < $2
                ORDER BY grain LIMIT 1 OFFSET $3),
            $2 - 1
        )
        """
    )

    /// The staff members and seats that are taken in each grain.
    static func taken(
        in grains: Range<Int64>,
        of salon: Int64,
        now: Timestamp
    ) -> Query<[Int64: Set<Resource>]> {
        Query(taken, [salon, grains.lowerBound, grains.upperBound, now], into: [:]) { taken, row in
            let resource: Resource = row.bool(2) ? .seat(row.integer(1)) : .staff(row.text(1))
            taken[row.integer(0), default: []].insert(resource)
        }
    }

    /// The free seats with the lowest numbers, which may differ from one grain to the next.
    static func freeSeats(
        _ count: Int,
        in grains: Range<Int64>,
        taken: [Int64: Set<Resource>]
    ) -> [OccupiedTime] {
        if taken.isEmpty {
            return (1...Int64(count)).map { OccupiedTime(resource: .seat($0), grains: grains) }
        }
        var times: [OccupiedTime] = []
        // The index of the last time of each seat.
        var latest: [Resource: Int] = [:]
        for grain in grains {
            let seats = (1...).lazy.map { Resource.seat($0) }
            for resource in seats.filter({ taken[grain]?.contains($0) != true }).prefix(count) {
                if let index = latest[resource], times[index].grains.upperBound == grain {
                    times[index].grains = times[index].grains.lowerBound..<grain + 1
                } else {
                    latest[resource] = times.count
                    times.append(OccupiedTime(resource: resource, grains: grain..<grain + 1))
                }
            }
        }
        return times
    }

    /// Takes resources for an owner: an appointment, or a hold, which has a negative number and
    /// expires. Returns false if a grain is taken; then the changes must be rolled back.
    static func take(
        _ times: [OccupiedTime],
        of salon: Int64,
        for owner: Int64,
        until expiry: Timestamp?,
        now: Timestamp,
        in database: Database
    ) throws(StorageFailure) -> Bool {
        for time in times {
            var first = time.grains.lowerBound
            while first < time.grains.upperBound {
                let count = min(Int(time.grains.upperBound - first), maximumRows)
                let sql = take[count - 1]
                let taken = try database.run(sql, salon, first, time.resource, owner, expiry, now)
                if taken < count { return false }
                first += Int64(count)
            }
        }
        return true
    }

    /// Deletes a few more grains of the past than a reservation of `rows` takes. Each new
    /// reservation calls this, so past grains do not accumulate, and no request waits for a long
    /// deletion.
    ///
    /// The grains of the last day remain, because booking a time without grains takes longer. The
    /// salon's row says from when on its grains are complete; it is written only once a day.
    static func deletePast(
        of salon: SalonRows.Occupancy,
        taking rows: Int,
        now: Timestamp,
        in database: Database
    ) throws(StorageFailure) {
        let end = (now.grain / grainsPerDay - 1) * grainsPerDay
        if salon.completeFrom < end {
            try database.run(SalonRows.setCompleteFrom, salon.number, end)
        }
        try database.run(deletePast, salon.number, end, rows + 8)
    }
}
