import BookingStorage
import Domain

/// Writes the table of occupied grains. Its primary key decides which of several bookings gets a
/// staff member or a seat.
///
/// The rows are written in the order of the key, so that two transactions do not wait for each
/// other.
enum OccupancyRows {
    /// Takes a grain if it is free or its hold has expired by the time in parameter `now`.
    private static func taking(now: Int) -> String {
        """
        ON CONFLICT (salon_id, grain, resource)
        DO UPDATE SET owner = excluded.owner, expires_at = excluded.expires_at
        WHERE occupancy.expires_at <= $\(now)
        """
    }
    /// PostgreSQL makes one plan for all arrays. It would plan each execution again if the grains came
    /// from `generate_series`, because it expects more rows from unknown bounds than from known ones.
    static let takeOne = SQL(
        """
        INSERT INTO occupancy (salon_id, grain, resource, owner, expires_at)
        SELECT $1, grain, $3, $4, $5::bigint FROM unnest($2::bigint[]) AS grain ORDER BY grain
        \(taking(now: 6))
        """
    )
    /// Takes free seats at random, so that bookings at the same time rarely want the same one.
    ///
    /// Takes no seat if rows of other seats or staff members, which the salon had earlier, occupy
    /// the time. Only a transaction that has locked the salon (`$9`) may take seats then, because
    /// it has counted those rows.
    static let takeSeats = SQL(
        """
        INSERT INTO occupancy (salon_id, grain, resource, owner, expires_at)
        SELECT $1, grain, resource, $5, $6::bigint FROM (
            SELECT grain, resource, row_number() OVER (PARTITION BY grain ORDER BY random()) AS rank
            FROM generate_series($2::bigint, $3::bigint) AS grain
                CROSS JOIN (SELECT 'seat ' || n AS resource FROM generate_series(1, $4::int) AS n)
                AS seats
            WHERE NOT EXISTS (
                SELECT FROM occupancy AS taken
                WHERE taken.salon_id = $1 AND taken.grain = grain.grain
                    AND taken.resource = seats.resource
                    AND (taken.expires_at IS NULL OR taken.expires_at > $7)
            )
        ) AS free
        WHERE rank <= $8 AND ($9::boolean OR NOT EXISTS (
            SELECT FROM occupancy AS other
            WHERE other.salon_id = $1 AND other.grain BETWEEN $2 AND $3
                AND (other.expires_at IS NULL OR other.expires_at > $7)
                AND other.resource NOT IN (SELECT 'seat ' || n FROM generate_series(1, $4::int) AS n)
        ))
        ORDER BY grain, resource COLLATE "C"
        \(taking(now: 7))
        """
    )
    static let releaseAll = SQL(
        "DELETE FROM occupancy WHERE salon_id = $1 AND grain >= $2 AND grain < $3 AND owner = $4"
    )

    /// Takes resources in all grains of a reservation. Writes fewer rows than
    /// ``count(_:for:)`` if a different transaction was faster.
    static func take(
        _ resources: Resources,
        for reservation: some Reservation,
        now: Timestamp,
        isSerialized: Bool = false
    ) -> Query<Int> {
        let grains = reservation.grains
        let (first, last) = (grains.lowerBound, grains.upperBound - 1)
        let salon = reservation.booking.salonID
        let (id, expiry) = (reservation.id, reservation.expiry)
        if resources.names.count == 1, let name = resources.names.first {
            return Query(takeOne, salon, SQLArray(grains), name, id, expiry, now)
        }
        let total = resources.names.count
        return Query(
            takeSeats,
            salon,
            first,
            last,
            total,
            id,
            expiry,
            now,
            resources.count,
            isSerialized
        )
    }

    /// The number of rows of a reservation.
    static func count(_ resources: Resources, for reservation: some Reservation) -> Int {
        reservation.grains.count * resources.count
    }
}

/// The staff member or the seats that an appointment takes.
struct Resources {
    /// How many of `names` the appointment takes.
    let count: Int
    /// The names of the staff member or the seats in the database. The prefixes distinguish staff
    /// members from seats.
    let names: [String]

    init(_ allocation: Allocation, for requirement: Requirement) {
        var total = 1
        if case .seats(_, let seats) = requirement.resources { total = seats }
        self.init(allocation, ofSeats: total)
    }

    /// - Parameter seats: The number of all seats.
    init(_ allocation: Allocation, ofSeats seats: Int) {
        switch allocation {
        case .staff(let id):
            count = 1
            names = ["staff \(id)"]
        case .seats(let count):
            self.count = count
            let total = max(count, seats)
            names = (0..<total).map { "seat \($0 + 1)" }
        }
    }
}
