import BookingStorage
import Domain

extension WriteTransaction {
    /// A booking for which a free time was found.
    private struct Write {
        let pending: PendingBooking
        let stored: StoredAppointment
        let resources: Resources

        /// The number of rows of its time.
        var grainCount: Int { OccupancyRows.count(resources, for: stored) }
    }

    /// Books as many of the bookings as possible, and as one transaction may. They are for different
    /// salons, and in their order. The others are nil: each must be booked in a transaction of its own.
    ///
    /// All locks are taken in one order: the tokens, the rows of the salons, the keys, and the time, each
    /// in the order of the salons.
    func book(_ bookings: [PendingBooking]) throws -> [StoredAppointment?] {
        let keyed = bookings.first { $0.request != nil }?.request
        let (areRevoked, _, now, rows, keys, taken) = try run(
            .all(bookings.map { isRevoked($0.principal) }),
            KeyRows.prepare(keyed),
            currentTime,
            .all(bookings.map { use($0.booking.salonID) }),
            .all(
                bookings.map {
                    KeyRows.read($0.request?.key, in: .salon($0.booking.salonID), now: clock)
                }
            ),
            .all(bookings.map { takenTimes(near: $0.booking) })
        )
        var grains = 0
        let writes = bookings.indices.map { index -> Write? in
            guard !areRevoked[index], case .unused = keys[index],
                let write = try? reserve(bookings[index], at: rows[index], taken[index]),
                grains + write.grainCount <= Requirement.maximumRows
            else { return nil }
            grains += write.grainCount
            return write
        }
        try store(writes.compactMap(\.self), at: now)
        return writes.map { $0?.stored }
    }

    private func reserve(
        _ pending: PendingBooking,
        at salon: SalonRow?,
        _ busy: [BusyInterval]
    ) throws -> Write {
        let plan = try plan(for: pending.booking, at: salon, pending.check)
        var stored = StoredAppointment(
            of: pending.booking,
            as: pending.request,
            from: nil,
            plan
        )
        let resources = try allocate(plan, for: &stored, busy)
        return Write(pending: pending, stored: stored, resources: resources)
    }

    private func store(_ writes: [Write], at now: Timestamp) throws {
        guard !writes.isEmpty else { return }
        let (keyRows, grains, _, _) = try run(
            .all(
                writes.map { KeyRows.write($0.pending.request, result: $0.stored, now: now) }
            ),
            .all(writes.map { take($0.resources, for: $0.stored, now) }),
            .all(writes.map { insert($0.stored) }),
            .all(
                writes.map { write in
                    let change = AuditedChange(.book, write.stored)
                    return record(change, by: write.pending.principal, at: now)
                }
            )
        )
        changeCount = writes.count
        for (index, write) in writes.enumerated() {
            try require(keyRows[index], 1)
            try require(grains[index], write.grainCount)
        }
    }
}
