import BookingStorage
import Domain

extension WriteTransaction {
    /// Finds a free staff member or free seats for an appointment or a hold that has none. Sets its
    /// length, its buffers, and its staff member, stores it, and takes its time. Throws if too few
    /// are free, or if it must wait for a different transaction.
    ///
    /// - Parameter store: Writes the row. Returns its number as the owner of the grains.
    func reserve<R: Reservation>(
        _ plan: BookingPlan,
        for reservation: inout R,
        preferring preferred: String? = nil,
        storing store: (R) throws -> Int64
    ) throws {
        let requirement = plan.requirement
        try reservation.apply(plan)
        var rows = reservation.rowCount
        // Choosing among many staff members takes as long as writing a row for each of them.
        if case .staff(let members) = requirement.resources { rows = max(rows, members.count) }
        try admit(rows)
        let salon = try run(SalonRows.occupancy(of: reservation.booking.salonID))
        let grains = reservation.grains
        var times: [OccupancyRows.OccupiedTime] = []
        switch requirement.resources {
        case .seats(let count, let total):
            let taken = try run(OccupancyRows.taken(in: grains, of: salon.number, now: now))
            // The only seat is free if no one has any of the grains, not even another seat or a
            // staff member whom the salon had before. The scheduling rules would reach the same
            // result, but would read the appointments of several days.
            let isEnough = total == 1 && grains.lowerBound >= salon.completeFrom
            let isFree = try isEnough ? taken.isEmpty : allocate(plan, for: reservation) != nil
            guard isFree else { throw Problem.slotUnavailable }
            times = OccupancyRows.freeSeats(count, in: grains, taken: taken)
            reservation.assign(.seats(count))
        case .staff:
            let allocation = try allocate(plan, for: reservation, preferring: preferred)
            guard let allocation, case .staff(let id) = allocation else {
                throw Problem.slotUnavailable
            }
            times = [OccupancyRows.OccupiedTime(resource: .staff(id), grains: grains)]
            reservation.assign(allocation)
        }
        let owner = try store(reservation)
        let hasTaken = try OccupancyRows.take(
            times,
            of: salon.number,
            for: owner,
            until: reservation.expiry,
            now: now,
            in: database
        )
        guard hasTaken else { throw Problem.slotUnavailable }
        guard try isClockSteady() else { return }
        try OccupancyRows.deletePast(
            of: salon,
            taking: reservation.rowCount,
            now: now,
            in: database
        )
    }

    /// What the scheduling rules choose; nil if too few are free.
    private func allocate(
        _ plan: BookingPlan,
        for reservation: some Reservation,
        preferring preferred: String? = nil
    ) throws -> Allocation? {
        let start = reservation.booking.time.instant
        let busy = try plan.busyIntervals(at: start) { range in
            try run(
                BusyInterval.query(
                    BusyRows.others,
                    of: reservation.booking.salonID,
                    in: range,
                    exceptAppointment: reservation.id,
                    exceptHold: reservation.id,
                    now: now
                )
            )
        }
        return plan.schedule.allocation(
            for: plan.requirement,
            at: start,
            busy: busy,
            preferring: preferred
        )
    }
}
