import BookingStorage
import Domain

extension WriteTransaction {
    /// Moves the active future appointments of a salon to the instants at which the clock of its new
    /// schedule shows the local times for which they were booked. Returns how many it has moved.
    func keepWallClock(
        of salonID: SalonID,
        by schedule: Schedule,
        _ now: Timestamp,
        _ principal: Principal
    ) throws -> Int {
        let appointments = try connection.run(
            AppointmentRows.active(
                of: salonID,
                startingIn: now.advanced(bySeconds: 1)..<Timestamp(secondsSince1970: .max),
                limit: WallClockMove.maximumAppointments + 1,
                areLocked: true
            )
        )
        var moves = try WallClockMove.all(of: appointments, by: schedule, now: now)
        _ = try connection.run(
            .all(moves.map { OccupancyRows.release($0.before) }),
            .all(moves.map { AppointmentRows.update($0.after) })
        )
        // All of them have left their old times before the first one takes its new time.
        for index in moves.indices {
            var after = moves[index].after
            let busy = try moves[index].plan.busyIntervals(at: after.booking.time.instant) {
                range in
                try connection.run(BusyRows.intervals(of: salonID, in: range, now: clock))
            }
            try moves[index].place(among: busy)
            after = moves[index].after
            let seats = schedule.salon.seats ?? 1
            let resources = Resources(moves[index].allocation, ofSeats: seats)
            let (grains, _, _) = try connection.run(
                // No one else books at the salon, because its row is locked.
                OccupancyRows.take(resources, for: after, now: now, isSerialized: true),
                AppointmentRows.update(after),
                record(AuditedChange(.move, after), by: principal, at: now)
            )
            try require(grains, OccupancyRows.count(resources, for: after))
        }
        return moves.count
    }
}
