import BookingStorage
import Domain

extension WriteTransaction {
    /// A booking for which a free time was found.
    private struct Write {
        let pending: PendingBooking
        let limits: [AppointmentLimit]
        let stored: StoredAppointment
        let resources: Resources

        /// The number of rows of its time.
        var grainCount: Int { OccupancyRows.count(resources, for: stored) }
    }

    /// Books as many of the bookings as possible, and as one transaction may. They are for different
    /// salons, and in their order. The others are nil: each must be booked in a transaction of its own.
    ///
    /// All locks are taken in one order: the tokens, the rows of the salons, the callers, the keys, and the
    /// time, each in the order of the salons, but the callers in their own.
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
        let allowed = try withinLimits(writes, now)
        // Locking a caller is no reason to commit.
        hasChanges = false
        try store(allowed.compactMap(\.self), at: now)
        return allowed.map { $0?.stored }
    }

    /// The bookings whose callers may have another appointment. At most one of each caller is counted
    /// in a transaction.
    private func withinLimits(_ writes: [Write?], _ now: Timestamp) throws -> [Write?] {
        let limited = writes.compactMap(\.self).filter { !$0.limits.isEmpty }
        if limited.isEmpty { return writes }
        let callers = Dictionary(
            limited.map { ($0.stored.booking.caller, $0) },
            uniquingKeysWith: { first, _ in first }
        ).sorted { $0.key < $1.key }
        let (_, usages, held) = try run(
            .all(callers.map { lock(caller: $0.key) }),
            .all(
                callers.map {
                    CustomerUsage.query(of: $0.value.stored.booking, now: now)
                }
            ),
            .all(callers.map { holds.active(of: $0.key, now: now) })
        )
        var allowed: Set<String> = []
        for (index, (_, write)) in callers.enumerated() {
            let salon = write.stored.booking.salonID
            if (try? usages[index].check(write.limits, at: salon, holds: held[index])) != nil {
                allowed.insert(write.stored.id)
            }
        }
        return writes.map { write in
            guard let write, !write.limits.isEmpty else { return write }
            return allowed.contains(write.stored.id) ? write : nil
        }
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
        return Write(
            pending: pending,
            limits: plan.limits,
            stored: stored,
            resources: resources
        )
    }

    private func store(_ writes: [Write], at now: Timestamp) throws {
        guard !writes.isEmpty else { return }
        let (keyRows, grains, _, _) = try run(
            .all(
                writes.map { KeyRows.write($0.pending.request, result: $0.stored, now: now) }
            ),
            .all(writes.map { take($0.resources, for: $0.stored, now) }),
            .all(writes.map { insert($0.stored, at: now) }),
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
