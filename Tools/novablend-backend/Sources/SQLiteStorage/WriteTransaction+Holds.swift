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
        try StoredHold.checkCount(active.map(\.hold), now: now)
        let expiry = now.advanced(bySeconds: seconds)
        var hold = StoredHold(of: booking, by: caller, until: expiry)
        try reserve(plan, for: &hold) { -(try HoldRows.insert($0, key: key, in: database)) }
        try HoldRows.deleteExpired(amongOldest: 2, now: now, in: database)
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
            try hold.isActive(for: booking, now: now)
        else { return nil }
        try end(hold)
        return hold
    }

    private func end(_ hold: StoredHold) throws(StorageFailure) {
        try OccupancyRows.release(hold, in: database)
        try HoldRows.end(hold.id, now: now, in: database)
    }
}
