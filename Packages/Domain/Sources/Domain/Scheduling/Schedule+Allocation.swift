/// What a booking takes.
public enum Allocation: Sendable, Hashable {
    /// The staff member with this id.
    case staff(String)
    /// This number of seats, whichever they are.
    case seats(Int)
}

extension Schedule {
    /// The time of which ``allocation(for:at:busy:preferring:)`` must know what is taken: that of
    /// the appointment, and if there is a choice between staff members, the whole day of its start.
    public func allocationRange(
        for requirement: Requirement,
        at start: Timestamp
    ) -> Range<Timestamp> {
        let interval = requirement.interval(from: start)
        guard case .staff(let members) = requirement.resources, members.count > 1 else {
            return interval
        }
        let day = day(of: start)
        return min(interval.lowerBound, day.lowerBound)..<max(interval.upperBound, day.upperBound)
    }

    /// Chooses a free staff member or free seats for an appointment; nil if not enough are free.
    ///
    /// If several staff members are free, the one with the least work on that day is chosen. Ties
    /// go to the first in the salon's order. Staff members whom bookings without a known staff
    /// member may need are chosen last.
    ///
    /// - Parameters:
    ///   - requirement: What the appointment needs.
    ///   - start: When the appointment begins, without its buffer.
    ///   - busy: What is taken in ``allocationRange(for:at:)``, at least, and in
    ///     ``longerRange(than:for:busy:)``.
    ///   - preferred: The id of a staff member who is chosen in any case if free, or nil.
    public func allocation(
        for requirement: Requirement,
        at start: Timestamp,
        busy: [BusyInterval],
        preferring preferred: String? = nil
    ) -> Allocation? {
        var resources = FreeResources(for: requirement, by: self, from: start, busy: busy)
        guard resources.state(at: start).free >= requirement.count else { return nil }
        if case .seats(let count, _) = requirement.resources { return .seats(count) }
        let free = resources.candidates(at: start)
        if let preferred, free.contains(where: { $0.id == preferred }) { return .staff(preferred) }
        let work = work(on: day(of: start), busy)
        let chosen = free.min {
            ($0.isNeeded ? 1 : 0, work[$0.id, default: 0])
                < ($1.isNeeded ? 1 : 0, work[$1.id, default: 0])
        }
        return chosen.map { .staff($0.id) }
    }

    /// Whether bookings without a known staff member overlap the time of an appointment. What such
    /// a booking needs is not certain, so at most one change at a time may rely on it.
    public func overlapsUnassigned(
        for requirement: Requirement,
        at start: Timestamp,
        busy: [BusyInterval]
    ) -> Bool {
        let interval = requirement.interval(from: start)
        return unassigned(in: busy, overlapping: interval) != nil
    }

    /// A longer range of which it must be known what is taken, because bookings without a known staff
    /// member extend beyond `range`; nil if none do.
    ///
    /// - Parameters:
    ///   - range: The range of which `busy` is what is taken. It contains `interval`.
    ///   - interval: The time of the appointments that are allocated or offered, with their buffers.
    ///   - busy: What is taken in `range`.
    public func longerRange(
        than range: Range<Timestamp>,
        for interval: Range<Timestamp>,
        busy: [BusyInterval]
    ) -> Range<Timestamp>? {
        guard let needed = unassigned(in: busy, overlapping: interval)?.range else { return nil }
        if needed.lowerBound >= range.lowerBound, needed.upperBound <= range.upperBound {
            return nil
        }
        // Much longer, so that few steps find the ends of a long chain.
        let seconds = range.upperBound.seconds(since: range.lowerBound)
        let first = min(needed.lowerBound, range.lowerBound.advanced(bySeconds: -seconds))
        return first..<max(needed.upperBound, range.upperBound.advanced(bySeconds: seconds))
    }

    private func unassigned(
        in busy: [BusyInterval],
        overlapping interval: Range<Timestamp>
    ) -> UnassignedBookings.Overlap? {
        if salon.staff.isEmpty || !busy.contains(where: { $0.staffID == nil }) { return nil }
        var bookings = UnassignedBookings(in: busy.map { $0.rounded(to: precision) })
        return bookings.overlap(with: interval)
    }

    /// The seconds of work that each staff member has on a day, including buffers.
    private func work(on day: Range<Timestamp>, _ busy: [BusyInterval]) -> [String: Int64] {
        var work: [String: Int64] = [:]
        for interval in busy {
            guard let id = interval.staffID else { continue }
            let start = max(interval.start, day.lowerBound)
            work[id, default: 0] += max(min(interval.end, day.upperBound).seconds(since: start), 0)
        }
        return work
    }

    /// The day of `instant` on the salon's clock.
    private func day(of instant: Timestamp) -> Range<Timestamp> {
        let date = clock.time(at: instant).localTime.date
        let midnights = [date, date.advanced(byDays: 1)].map {
            clock.reading(of: LocalTime($0, TimeOfDay(minuteOfDay: 0))).first
        }
        return min(midnights[0], instant)..<max(midnights[1], instant)
    }
}
