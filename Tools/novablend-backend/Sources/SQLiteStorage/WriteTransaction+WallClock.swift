import BookingStorage
import Domain

extension WriteTransaction {
    /// Moves the active future appointments of a salon to the instants at which the clock of its new
    /// schedule shows the local times for which they were booked. Returns how many it has moved.
    func keepWallClock(
        of salonID: SalonID,
        by schedule: Schedule,
        _ principal: Principal
    ) throws -> Int {
        let future = now.advanced(bySeconds: 1)..<Timestamp(secondsSince1970: .max)
        let appointments = try AppointmentRows.active(
            of: salonID,
            startingIn: future,
            after: nil,
            limit: WallClockMove.maximumAppointments + 1,
            in: database
        )
        var moves = try WallClockMove.all(of: appointments, by: schedule, now: now)
        try admit(moves.reduce(0) { $0 + $1.after.rowCount })
        for move in moves {
            try OccupancyRows.release(move.before, in: database)
            try AppointmentRows.update(move.after, in: database)
        }
        // All of them have left their old times before the first one takes its new time.
        for index in moves.indices {
            let start = moves[index].after.booking.time.instant
            let busy = try moves[index].plan.busyIntervals(at: start) { range in
                try BusyRows.intervals(of: salonID, in: range, except: "", now: now, in: database)
            }
            try moves[index].place(among: busy)
            try take(moves[index])
            try record(AuditedChange(.move, moves[index].after), by: principal)
        }
        return moves.count
    }

    private func take(_ move: WallClockMove) throws {
        let (after, grains) = (move.after, move.after.grains)
        let salon = try SalonRows.occupancy(of: after.booking.salonID, in: database).number
        let owner = try AppointmentRows.update(after, in: database)
        var times: [OccupancyRows.OccupiedTime] = []
        switch move.allocation {
        case .staff(let id):
            times = [OccupancyRows.OccupiedTime(resource: .staff(id), grains: grains)]
        case .seats(let count):
            let taken = try OccupancyRows.taken(in: grains, of: salon, now: now, in: database)
            times = OccupancyRows.freeSeats(count, in: grains, taken: taken)
        }
        for time in times {
            let hasTaken = try OccupancyRows.take(
                time,
                of: salon,
                for: owner,
                until: nil,
                now: now,
                in: database
            )
            guard hasTaken else { throw move.takenError }
        }
    }
}
