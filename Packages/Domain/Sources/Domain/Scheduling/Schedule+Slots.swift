extension Schedule {
    /// The slots that start within a range, in order. The range ends at most ``maximumRangeSeconds``
    /// after its start.
    ///
    /// - Parameters:
    ///   - requirement: What the appointment needs; nil if the customer chooses only the time.
    ///   - from: The start of the range.
    ///   - to: The end of the range, which is exclusive.
    ///   - busy: The times that are taken.
    ///   - now: The current time. Slots in the past cannot be booked.
    ///   - isExplained: Whether each slot states which staff members are free, if the salon has any.
    public func slots(
        for requirement: Requirement? = nil,
        from: Timestamp,
        to: Timestamp,
        busy: [BusyInterval] = [],
        now: Timestamp,
        isExplained: Bool = false
    ) -> [Slot] {
        let to = min(to, from.advanced(bySeconds: Self.maximumRangeSeconds))
        guard from < to else { return [] }
        let requirement = requirement ?? usualRequirement
        let isExplained = isExplained && !salon.staff.isEmpty
        let schedule = limited(from: from, to: to)
        var window = BookingWindow(of: salon, on: clock, now: now)
        var resources = FreeResources(
            for: requirement,
            by: schedule,
            from: from,
            to: to,
            busy: busy
        )
        let starts = schedule.starts(for: requirement, from: from, to: to)
        var slots: [Slot] = []
        slots.reserveCapacity(starts.count)
        for start in starts {
            let state = resources.state(at: start)
            if state.total < requirement.count { continue }
            let slot = Slot(
                start: schedule.clock.time(at: start),
                end: schedule.clock.time(at: requirement.end(from: start)),
                isAvailable: state.free >= requirement.count && window.contains(start),
                free: state.free,
                staff: isExplained ? resources.staff(at: start) : nil
            )
            slots.append(slot)
        }
        return slots
    }

    /// The same schedule on a clock that is faster from `from` to `to`.
    private func limited(from: Timestamp, to: Timestamp) -> Schedule {
        Schedule(of: salon, on: clock.limited(from: from, to: to), precision: precision)
    }

    /// Which staff members are free for an appointment at `start`, in the salon's order; nil if the
    /// salon has no staff.
    public func staff(
        for requirement: Requirement,
        at start: Timestamp,
        busy: [BusyInterval]
    ) -> [StaffAvailability]? {
        if salon.staff.isEmpty { return nil }
        var resources = FreeResources(
            for: requirement,
            by: self,
            from: start,
            to: start,
            busy: busy
        )
        return resources.staff(at: start)
    }

    /// The start times of the first available slots, at most `count`, within two days after
    /// `instant`.
    public func alternatives(
        to instant: Timestamp,
        for requirement: Requirement? = nil,
        busy: [BusyInterval] = [],
        now: Timestamp,
        count: Int = 3
    ) -> [AppointmentTime] {
        let start = instant.advanced(bySeconds: 1)
        let end = start.advanced(bySeconds: 172_800)
        return slots(for: requirement, from: start, to: end, busy: busy, now: now)
            .filter(\.isAvailable).prefix(count).map(\.start)
    }

    private func starts(
        for requirement: Requirement,
        from: Timestamp,
        to: Timestamp
    ) -> [Timestamp] {
        let step = Self.stepSeconds(salon.slotMinutes ?? Salon.assumedSlotMinutes)
        var starts: [Timestamp] = []
        for opening in openingTimes.intervals(from: from, to: to) {
            let skipped = max(from.seconds(since: opening.lowerBound) + step - 1, 0) / step
            var start = opening.lowerBound.advanced(bySeconds: skipped * step)
            while start < to, requirement.end(from: start) <= opening.upperBound {
                starts.append(start)
                start = start.advanced(bySeconds: step)
            }
        }
        return starts
    }
}
