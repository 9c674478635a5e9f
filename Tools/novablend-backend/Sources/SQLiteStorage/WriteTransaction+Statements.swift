import BookingStorage
import Domain

extension HoldStatements {
    static let sqlite = HoldStatements(now: { "$\($0)" })
}

// One operation runs at a time, so nothing needs to be locked.
extension WriteTransaction: StoreTransaction {
    var currentTime: Query<Timestamp> { .value(now) }
    var holds: HoldStatements { .sqlite }

    func lock(salon id: SalonID) -> Query<SalonRow?> { SalonRow.read(id, nil) }

    func write(_ salon: Salon, over row: SalonRow?) throws -> Salon {
        try SalonRows.write(salon, over: row, in: database)
    }

    var markSalonDeleted: SQL { SalonRows.markDeleted }
    var lockAppointment: SQL { StoredAppointment.byID }
    var lockActiveAppointments: SQL { AppointmentRows.active }
    var busyIntervals: SQL { BusyRows.others }

    func update(_ stored: StoredAppointment) -> Query<Int> {
        Query(AppointmentRows.update, values: stored.values)
    }

    /// Releases all grains of a reservation, whose row must still exist.
    func release(_ reservation: (some Reservation)?) -> Query<Int> {
        guard let reservation else { return .value(0) }
        let (salon, grains) = (reservation.booking.salonID, reservation.grains)
        let (first, end) = (grains.lowerBound, grains.upperBound)
        return Query(OccupancyRows.release, salon, first, end, reservation.id)
    }

    func take(_ move: WallClockMove, now: Timestamp, _ record: Query<Int>) throws {
        let (after, grains) = (move.after, move.after.grains)
        let salon = try run(SalonRows.occupancy(of: after.booking.salonID)).number
        let owner = try AppointmentRows.update(after, in: database)
        var times = [OccupancyRows.OccupiedTime]()
        switch move.allocation {
        case .staff(let id):
            times = [OccupancyRows.OccupiedTime(resource: .staff(id), grains: grains)]
        case .seats(let count):
            let taken = try run(OccupancyRows.taken(in: grains, of: salon, now: now))
            times = OccupancyRows.freeSeats(count, in: grains, taken: taken)
        }
        let hasTaken = try OccupancyRows.take(
            times,
            of: salon,
            for: owner,
            until: nil,
            now: now,
            in: database
        )
        guard hasTaken else { throw move.takenError }
        try run(record)
    }

    func deleteHoldsAndKeys(limit: Int, _ now: Timestamp) throws -> ExpiredRows {
        var deleted = ExpiredRows()
        deleted.holds = try deleteExpiredHolds(amongOldest: limit)
        deleted.keys = try run(KeyRows.deleteExpired(amongOldest: limit, now: now))
        return deleted
    }

    /// A row with the last number of all remains, because the number could be used again.
    static let deleteOldAppointments = SQL(
        """
        DELETE FROM appointments
        WHERE number IN (
            SELECT number FROM appointments
            WHERE deleted_at < $1 AND change < \(ChangeRows.lastNumber) LIMIT $2
        )
        RETURNING change
        """
    )
    var deleteOldAppointments: SQL { Self.deleteOldAppointments }
}
