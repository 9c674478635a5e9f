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
        if let request, let earlier = try earlierHold(of: request, in: booking.salonID) {
            return earlier
        }
        let plan = try plan(for: booking, check)
        let active: [StoredHold] = try database.rows(HoldRows.active, booking.caller, now)
        let visible = active.filter { principal.role.includes($0.booking) }
        try StoredHold.checkCount(visible, now: now)
        let expiry = now.advanced(bySeconds: seconds)
        var hold = StoredHold(of: booking, until: expiry)
        try reserve(plan, for: &hold) { -(try HoldRows.insert($0, as: request, in: database)) }
        if try isClockSteady() {
            try HoldRows.deleteExpired(amongOldest: 2, now: now, in: database)
        }
        try record(AuditedChange(.hold, hold), by: principal)
        return hold
    }

    private func earlierHold(of request: KeyedRequest, in salon: SalonID) throws -> StoredHold? {
        try KeyRows.read(request.key, in: salon, database).earlierHold(
            of: request,
            active: HoldRows.active(with: request.key, in: salon, now: now, database)
        )
    }

    func release(hold id: String, by principal: Principal) throws {
        guard let hold: StoredHold = try database.first(HoldRows.byID, id),
            principal.role.includes(hold.booking)
        else { throw StoreError.holdNotFound(id) }
        guard hold.expiresAt > now else { return }
        try end(hold)
        try record(AuditedChange(.release, hold), by: principal)
    }

    /// Ends the hold that becomes a booking, so that its time is free for the booking. Returns nil
    /// if the booking names none, or one that is not active or not visible to the role: then its
    /// time may be taken.
    func endHold(
        of booking: BookingRequest,
        visibleTo role: Principal.Role
    ) throws -> StoredHold? {
        guard let id = booking.holdID,
            let hold: StoredHold = try database.first(HoldRows.byID, id),
            role.includes(hold.booking), try hold.isActive(for: booking, now: now)
        else { return nil }
        try end(hold)
        return hold
    }

    private func end(_ hold: StoredHold) throws {
        try admit(hold.rowCount)
        try OccupancyRows.release(hold, in: database)
        try database.run(StoredHold.end, hold.id, now)
    }
}
