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
        try requireToken(of: principal)
        if let request, let earlier = try earlierHold(of: request, in: booking.salonID) {
            return earlier
        }
        let plan = try plan(for: booking, check)
        let active = try run(holds.active(of: booking.caller, now: now))
        let visible = active.filter { principal.role.includes($0.booking) }
        try StoredHold.checkCount(visible, now: now)
        try checkLimits(of: plan, for: booking, now)
        let expiry = now.advanced(bySeconds: seconds)
        var hold = StoredHold(of: booking, until: expiry)
        try reserve(plan, for: &hold) {
            try run(holds.insert($0, as: request))
            return -database.lastRowID
        }
        if try isClockSteady() { try deleteExpiredHolds(amongOldest: 2) }
        try run(record(AuditedChange(.hold, hold), by: principal, at: now))
        return hold
    }

    private func earlierHold(of request: KeyedRequest, in salon: SalonID) throws -> StoredHold? {
        let (state, active) = try run(
            KeyRows.read(request.key, in: salon),
            holds.active(with: request.key, in: salon, now: now)
        )
        return try state.earlierHold(of: request, active: active)
    }

    /// Ends the hold that becomes a booking, so that its time is free for the booking. Returns nil
    /// if the booking names none, or one that is not active or not visible to the role: then its
    /// time may be taken.
    func endHold(
        of booking: BookingRequest,
        visibleTo role: Principal.Role
    ) throws -> StoredHold? {
        let found = try run(holds.lock(booking.holdID))
        guard let hold = found, role.includes(hold.booking),
            try hold.isActive(for: booking, now: now)
        else { return nil }
        try admit(hold.rowCount)
        try run(release(hold), holds.end(hold.id, now: now))
        return hold
    }

    /// Deletes those of the `count` oldest holds that are no longer remembered, or fewer if they have
    /// many grains, and returns their number. Each new hold calls this with a `count` of two, so old holds do not accumulate, and
    /// no request waits for a long deletion.
    @discardableResult
    func deleteExpiredHolds(amongOldest count: Int) throws -> Int {
        let earliest = now.advanced(bySeconds: -StoredHold.retentionSeconds)
        let expired = try run(Query<[StoredHold]>(Self.oldestHolds, count)).filter {
            $0.expiresAt < earliest
        }
        var (count, rows) = (0, 0)
        for hold in expired where rows < Requirement.maximumRows {
            rows += try run(release(hold), Query<Int>(Self.deleteHold, hold.id)).0 + 1
            count += 1
        }
        return count
    }

    private static let oldestHolds = SQL(
        "SELECT \(StoredHold.columns) FROM holds ORDER BY number LIMIT $1"
    )
    private static let deleteHold = SQL("DELETE FROM holds WHERE id = $1")
}
