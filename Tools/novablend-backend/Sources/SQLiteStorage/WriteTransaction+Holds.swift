import BookingStorage
import Domain

extension WriteTransaction {
    func hold(
        _ booking: BookingRequest,
        by caller: String,
        seconds: Int64,
        key: String?,
        check: (Salon) throws -> BookingPlan
    ) throws -> StoredHold {
        let active = try HoldRows.active(of: caller, now: now, in: database)
        if let key, let earlier = active.first(where: { $0.key == key })?.hold {
            guard earlier.isSame(as: booking) else { throw StoreError.keyReused }
            return earlier
        }
        let plan = try plan(for: booking, check)
        if active.count >= StoredHold.maximumPerCaller, let first = active.first?.hold {
            let seconds = first.expiresAt.seconds(since: now)
            throw StoreError.tooManyHolds(retryAfterSeconds: seconds)
        }
        var hold = StoredHold(
            id: Identifier.random().description,
            caller: caller,
            booking: booking,
            minutes: plan.requirement.minutes,
            expiresAt: now.advanced(bySeconds: seconds)
        )
        // They are not part of the reservation.
        (hold.booking.email, hold.booking.note, hold.booking.holdID) = (nil, nil, nil)
        try reserve(plan, for: &hold) { -(try HoldRows.insert($0, key: key, in: database)) }
        let oldest = now.advanced(bySeconds: -StoredHold.retentionSeconds)
        try HoldRows.deleteExpired(before: oldest, in: database)
        return hold
    }

    func release(hold id: String) throws {
        guard let hold = try HoldRows.read(id, in: database) else {
            throw StoreError.holdNotFound(id)
        }
        if hold.expiresAt > now { try end(hold) }
    }

    /// Ends the hold that becomes a booking, so that its time is free for the booking. Returns nil
    /// if the booking names none, or one that is not active: then its time may be taken.
    func endHold(of booking: BookingRequest) throws -> StoredHold? {
        guard let id = booking.holdID, let hold = try HoldRows.read(id, in: database),
            hold.expiresAt > now
        else { return nil }
        guard hold.caller == booking.caller else { throw StoreError.holdOfDifferentCaller }
        guard hold.holds(booking) else { throw StoreError.holdMismatch }
        try end(hold)
        return hold
    }

    private func end(_ hold: StoredHold) throws(StorageFailure) {
        try OccupancyRows.release(hold, in: database)
        try HoldRows.end(hold.id, now: now, in: database)
    }
}
