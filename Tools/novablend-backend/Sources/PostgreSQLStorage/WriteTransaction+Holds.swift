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
        // A voiding that runs at the same time is not excluded: then the hold simply expires. Nor is
        // a request with the same key for a different caller, which gets a hold, too.
        let (_, _, now, key, earlier, all, salon, busy) = try connection.run(
            begin,
            HoldRows.lock(caller: caller, now: clock),
            DatabaseClock.now(clock),
            KeyRows.read(request?.key, in: salonID, now: clock),
            HoldRows.active(with: request?.key, in: salonID, now: clock),
            HoldRows.active(of: caller, now: clock),
            use(salonID),
            takenTimes(near: booking)
        )
        // Also for a repeated request, so that its commit waits for a standby as the first one.
        hasChanges = true
        if let request, let hold = try key.earlierHold(of: request, active: earlier) { return hold }
        let plan = try plan(for: booking, at: salon, check)
        try StoredHold.checkCount(all.filter { principal.role.includes($0.booking) }, now: now)
        let expiry = now.advanced(bySeconds: seconds)
        var hold = StoredHold(of: booking, until: expiry)
        let resources = try allocate(plan, for: &hold, busy)
        let (grains, _, _) = try connection.run(
            take(resources, for: hold, now),
            HoldRows.insert(hold, as: request),
            record(AuditedChange(.hold, hold), by: principal, at: now)
        )
        try require(grains, OccupancyRows.count(resources, for: hold))
        return hold
    }

    func release(hold id: String, by principal: Principal) throws {
        let (_, found, now) = try connection.run(
            begin,
            HoldRows.lock(id),
            DatabaseClock.now(clock)
        )
        // One that ended earlier may not have been deleted yet.
        let earliest = now.advanced(bySeconds: -StoredHold.retentionSeconds)
        guard let hold = found, hold.expiresAt >= earliest,
            principal.role.includes(hold.booking)
        else { throw StoreError.holdNotFound(id) }
        // Also for an ended hold, so that the standby has its end, too.
        hasChanges = true
        let end = min(hold.expiresAt, now)
        let isActive = hold.expiresAt > now
        _ = try connection.run(
            OccupancyRows.release(hold),
            HoldRows.end(id, now: end),
            isActive
                ? record(AuditedChange(.release, hold), by: principal, at: now)
                : .value(0)
        )
    }
}
