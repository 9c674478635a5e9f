import BookingStorage
import Domain

/// Writes the table of occupied grains. Its primary key decides which of several bookings gets a
/// staff member or a seat.
enum OccupancyRows {
    /// Takes a grain if it is free or its hold has expired.
    private static let take = SQL(
        """
        INSERT INTO occupancy (salon_id, grain, resource, owner, expires_at)
        VALUES (?1, ?2, ?3, ?4, ?5)
        ON CONFLICT DO UPDATE SET owner = excluded.owner, expires_at = excluded.expires_at
        WHERE expires_at <= ?6
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

    /// Takes resources in all grains of a reservation. Returns false if too few are free in one of
    /// them; then the changes must be rolled back.
    static func take(
        _ resources: Resources,
        for reservation: some Reservation,
        now: Timestamp,
        in database: Database
    ) throws(StorageFailure) -> Bool {
        let salon = reservation.booking.salonID.description
        // In the order of the key, so that two transactions cannot wait for each other.
        for grain in reservation.grains {
            var missing = resources.count
            for resource in resources.names where missing > 0 {
                try database.run(take) { row in
                    row.bind(1, salon)
                    row.bind(2, grain)
                    row.bind(3, resource)
                    row.bind(4, reservation.id)
                    row.bind(5, reservation.expiry?.secondsSince1970)
                    row.bind(6, now.secondsSince1970)
                }
                missing -= database.changedRows
            }
            if missing > 0 { return false }
        }
        // Each booking deletes a few more grains of the past than it takes, so they do not accumulate
        // and no booking waits for a long deletion.
        try database.run(deletePast) { row in
            row.bind(1, salon)
            row.bind(2, now.grain)
            row.bind(3, Int64(reservation.grains.count * resources.count + 8))
        }
        return true
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
