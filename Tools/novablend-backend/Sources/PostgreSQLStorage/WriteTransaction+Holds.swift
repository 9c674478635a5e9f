import BookingStorage
import Domain

extension WriteTransaction {
    func hold(
        _ booking: BookingRequest,
        seconds: Int64,
        as request: KeyedRequest?,
        by principal: Principal,
        check: (Salon) throws -> BookingPlan
    ) throws -> StoredHold {
        let caller = booking.caller
        let salonID = booking.salonID
        // The key is not locked. If it is voided at the same time, the hold simply expires, and a
        // request with the same key for a different caller gets a hold, too. Locking the caller
        // writes a row. So the commit of a repeated request waits for a standby, like that of the
        // first request.
        let (isRevoked, _, now, key, earlier, all, salon, busy) = try run(
            self.isRevoked(principal),
            lock(caller: caller),
            currentTime,
            KeyRows.read(request?.key, in: .salon(salonID), now: clock),
            holds.active(with: request?.key, in: salonID, now: clock),
            holds.active(of: caller, now: clock),
            use(salonID),
            takenTimes(near: booking)
        )
        if isRevoked { throw Problem.invalidToken }
        if let request, let hold = try key.earlierHold(of: request, active: earlier) { return hold }
        let plan = try plan(for: booking, at: salon, check)
        try StoredHold.checkCount(all.filter { principal.role.includes($0.booking) }, now: now)
        try checkLimits(of: plan, for: booking, now)
        let expiry = now.advanced(bySeconds: seconds)
        var hold = StoredHold(of: booking, until: expiry)
        let resources = try allocate(plan, for: &hold, busy)
        let (grains, _, _) = try run(
            take(resources, for: hold, now),
            holds.insert(hold, as: request),
            record(AuditedChange(.hold, hold), by: principal, at: now)
        )
        try require(grains, OccupancyRows.count(resources, for: hold))
        return hold
    }
}
