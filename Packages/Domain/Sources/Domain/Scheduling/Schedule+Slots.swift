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
        let requirement = requirement ?? usualRequirement
        if case .local = clock {
            return clock.parts(from: from, to: to).flatMap { part in
                fixed(at: part.lowerBound).slots(
                    for: requirement,
                    from: part.lowerBound,
                    to: part.upperBound,
                    busy: busy,
                    now: now,
                    isExplained: isExplained
                )
            }.map { $0.shown(on: clock) }
        }
        let starts = starts(for: requirement, from: from, to: to)
        return slots(
            at: starts[...],
            for: requirement,
            busy: busy,
            now: now,
            isExplained: isExplained
        )
    }

    /// The slots at some of the times that ``starts(for:from:to:)`` returns, in order. A time at
    /// which too few staff members work has no slot.
    public func slots(
        at starts: ArraySlice<Timestamp>,
        for requirement: Requirement,
        busy: [BusyInterval],
        now: Timestamp,
        isExplained: Bool
    ) -> [Slot] {
        guard let first = starts.first, let last = starts.last else { return [] }
        let isExplained = isExplained && !salon.staff.isEmpty
        let schedule = limited(from: first, to: last)
        var window = BookingWindow(of: salon, on: clock, now: now)
        var resources = FreeResources(
            for: requirement,
            by: schedule,
            from: first,
            to: last,
            busy: busy
        )
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

    /// This schedule on a clock whose lookups are faster from `from` to `to`.
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
        var resources = FreeResources(for: requirement, by: self, from: start, busy: busy)
        return resources.staff(at: start)
    }

    /// The times within a range at which an appointment can start by the hours of the salon, in
    /// order; every half hour if there is no grid. The range ends at most ``maximumRangeSeconds``
    /// after its start.
    public func starts(
        for requirement: Requirement,
        from: Timestamp,
        to: Timestamp
    ) -> [Timestamp] {
        let to = min(to, from.advanced(bySeconds: Self.maximumRangeSeconds))
        guard from < to else { return [] }
        let step = Self.stepSeconds(salon.slotMinutes ?? Salon.assumedSlotMinutes)
        var starts: [Timestamp] = []
        // Appointments that start before `to` may end in adjacent openings after it.
        let openings = openingTimes.intervals(from: from, to: requirement.end(from: to))
        for (opening, closing) in zip(openings, Self.closings(of: openings)) {
            let skipped = max(from.seconds(since: opening.lowerBound) + step - 1, 0) / step
            var start = opening.lowerBound.advanced(bySeconds: skipped * step)
            while start < min(to, opening.upperBound), requirement.end(from: start) <= closing {
                starts.append(start)
                start = start.advanced(bySeconds: step)
            }
        }
        return starts
    }

    /// When the salon closes after each of the `openings`: the end of the last one that continues it
    /// without a break.
    private static func closings(of openings: [Range<Timestamp>]) -> [Timestamp] {
        var closings = openings.map(\.upperBound)
        for index in openings.indices.dropLast().reversed()
        where openings[index].upperBound == openings[index + 1].lowerBound {
            closings[index] = closings[index + 1]
        }
        return closings
    }
}
