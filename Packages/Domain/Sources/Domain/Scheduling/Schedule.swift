/// The scheduling rules, which decide when a salon can be booked. The client and the backend use
/// them both to list slots and to check bookings, so every offered slot can be booked.
///
/// Slots are measured in elapsed time, so a daylight saving change neither skips nor repeats a
/// slot.
public struct Schedule: Sendable {
    /// The maximum length of a range of slots, in seconds: 31 days, and the hour that a clock gains
    /// when daylight saving time ends.
    public static let maximumRangeSeconds: Int64 = 31 * 86_400 + 3_600

    /// The salon.
    public let salon: Salon
    /// The salon's wall clock.
    public let clock: SalonClock
    /// How times are compared.
    public let precision: TimePrecision

    /// Creates the schedule of `salon` on `clock`.
    public init(of salon: Salon, on clock: SalonClock, precision: TimePrecision = .exact) {
        self.salon = salon
        self.clock = clock
        self.precision = precision
    }

    /// What an appointment with `options` needs. Throws if the salon does not offer it. `moved` is the
    /// appointment that moves, which may keep a service that the salon has removed, or nil.
    public func requirement(
        for options: BookingOptions,
        moving moved: Appointment? = nil
    ) throws(Failure) -> Requirement {
        try Requirement(of: options, at: salon, moving: moved, precision: precision)
    }

    /// What an appointment needs if the customer chooses nothing but the time.
    var usualRequirement: Requirement { Requirement(service: nil, at: salon, precision) }

    /// Whether the salon is open at `instant`.
    public func isOpen(at instant: Timestamp) -> Bool {
        openingTimes.interval(at: instant) != nil
    }

    /// Whether an appointment can start at `instant` as far as the grid decides; true while the salon
    /// is closed.
    func isOnGrid(_ instant: Timestamp) -> Bool {
        guard let minutes = salon.slotMinutes, let opening = openingTimes.interval(at: instant)
        else { return true }
        return instant.seconds(since: opening.lowerBound) % Self.stepSeconds(minutes) == 0
    }

    /// Whether the staff member `id` works at `start` and for the next `minutes`, which are clamped to
    /// 0...1,440.
    func works(_ id: String, at start: Timestamp, minutes: Int) -> Bool {
        guard let member = salon.staff.first(where: { $0.id == id }) else { return false }
        let times = OpeningTimes(salon: salon, member: member, clock: clock)
        return times.contain(start, minutes: minutes)
    }

    /// The rule that blocks an appointment; nil if it can be booked.
    ///
    /// - Parameters:
    ///   - instant: When the appointment starts.
    ///   - requirement: What the appointment needs; nil if the customer chooses only the time.
    ///   - busy: The times that are taken.
    ///   - now: The current time. An appointment must start after it.
    ///   - isHeld: Whether a hold reserves the time. It was made in time, so the lead time does not
    ///     apply again.
    public func rule(
        blocking instant: Timestamp,
        for requirement: Requirement? = nil,
        busy: [BusyInterval] = [],
        now: Timestamp,
        isHeld: Bool = false
    ) -> BlockingRule? {
        if instant <= now { return .past }
        let schedule = fixed(at: instant)
        let requirement = requirement ?? usualRequirement
        if let rule = schedule.hoursRule(blocking: instant, for: requirement) { return rule }
        var window = BookingWindow(of: salon, on: schedule.clock, now: now)
        if let rule = window.rule(blocking: instant, isHeld: isHeld) { return rule }
        var resources = FreeResources(for: requirement, by: schedule, from: instant, busy: busy)
        let state = resources.state(at: instant)
        if state.total < requirement.count { return .notWorking(requirement.onlyMember?.name) }
        return state.free < requirement.count ? .taken : nil
    }

    /// The schedule that applies at `instant` if the salon has no time zone; see
    /// ``SalonClock/fixed(at:)``.
    func fixed(at instant: Timestamp) -> Schedule {
        Schedule(of: salon, on: clock.fixed(at: instant), precision: precision)
    }

    /// The rule of the salon's hours or grid that blocks an appointment at `instant`, or nil.
    private func hoursRule(
        blocking instant: Timestamp,
        for requirement: Requirement
    ) -> BlockingRule? {
        guard let opening = openingTimes.interval(at: instant) else {
            let date = clock.time(at: instant).localTime.date
            let hours = salon.hours(on: date)
            return hours.isEmpty ? .closedDay(date) : .outsideHours(hours)
        }
        let end = requirement.end(from: instant)
        let fits = end <= opening.upperBound || openingTimes.contain(from: instant, to: end)
        // If the salon states no slot length, there is no grid, and the end of an appointment
        // without a service is unknown.
        if let minutes = salon.slotMinutes,
            instant.seconds(since: opening.lowerBound) % Self.stepSeconds(minutes) != 0
                || !fits && requirement.service == nil
        {
            return .offGrid(slotMinutes: minutes)
        }
        let isService = requirement.service != nil
        return isService && !fits ? .endsAfterHours(minutes: requirement.minutes) : nil
    }

    /// The seconds between two start times.
    static func stepSeconds(_ minutes: Int) -> Int64 { Int64(min(max(minutes, 1), 1_440)) * 60 }

    var openingTimes: OpeningTimes { OpeningTimes(salon: salon, member: nil, clock: clock) }
}

extension Schedule {
    /// The days to which start times belong: each is the day whose hours the time is in, which can be
    /// the day before its date if the salon is open past midnight. A time outside of the hours belongs
    /// to its date.
    ///
    /// - Parameter starts: The times, in ascending order.
    public func openingDays(of starts: [Timestamp]) -> [CalendarDate] {
        guard let first = starts.first, let last = starts.last else { return [] }
        return clock.parts(from: first, to: last.advanced(bySeconds: 1)).flatMap { part in
            let openings = fixed(at: part.lowerBound).openingTimes
                .openings(from: part.lowerBound, to: part.upperBound)
            var rest = openings[...]
            return starts.filter(part.contains).map { start in
                while let opening = rest.first, opening.interval.upperBound <= start {
                    rest.removeFirst()
                }
                guard let opening = rest.first, opening.interval.contains(start) else {
                    return clock.time(at: start).localTime.date
                }
                return opening.day
            }
        }
    }

    /// When the hours of a day end, at the earliest at the midnight after it.
    public func end(ofOpeningDay date: CalendarDate) -> Timestamp {
        let midnight = clock.start(of: date.advanced(byDays: 1))
        let before = midnight.advanced(bySeconds: -1)
        let openings = fixed(at: before).openingTimes.openings(from: before, to: midnight)
        let last = openings.last { $0.day == date }
        return max(midnight, last?.interval.upperBound ?? midnight)
    }

    /// The intervals in which the salon is open and `member` works, or, if `member` is nil, in which
    /// the salon is open: those that contain at least one instant of the range, in order.
    public func workingTimes(
        of member: StaffMember?,
        from: Timestamp,
        to: Timestamp
    ) -> [Range<Timestamp>] {
        let open = openingTimes.intervals(from: from, to: to)
        guard let member else { return open }
        let times = OpeningTimes(salon: salon, member: member, clock: clock)
        let working = times.continuousIntervals(from: from, to: to)
        return open.flatMap { interval in
            working.filter { $0.overlaps(interval) }.map { $0.clamped(to: interval) }
        }
    }
}

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

/// What a booking takes.
public enum Allocation: Sendable, Hashable {
    /// The staff member with this id.
    case staff(String)
    /// This number of seats, whichever they are.
    case seats(Int)
}

extension Schedule {
    /// The time of which ``allocation(for:at:busy:preferring:readingWork:)`` must know what is taken:
    /// that of the appointment, and if there is a choice between staff members, the whole day of its
    /// start.
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
    /// If several staff members are free, the one with the least work on that day is chosen; of
    /// several with equally little, the one with the least work in that week, from Monday to Sunday;
    /// and then the one with the smallest hash of the date, the person, and the salon. Staff members
    /// whom bookings without a known staff member may need are chosen last. Only the server that
    /// assigns someone knows all of this, so a client must not predict it.
    ///
    /// - Parameters:
    ///   - requirement: What the appointment needs.
    ///   - start: When the appointment begins, without its buffer.
    ///   - busy: What is taken in ``allocationRange(for:at:)``, at least, and in
    ///     ``longerRange(than:for:busy:)``.
    ///   - preferred: The id of a staff member who is chosen in any case if free, or nil.
    ///   - readWork: Returns the seconds of a range that each staff member works; see
    ///     ``work(in:of:)``. It is called with the week, and only if the day does not decide.
    public func allocation<E: Error>(
        for requirement: Requirement,
        at start: Timestamp,
        busy: [BusyInterval],
        preferring preferred: String? = nil,
        readingWork readWork: (Range<Timestamp>) throws(E) -> [String: Int64]
    ) throws(E) -> Allocation? {
        var resources = FreeResources(for: requirement, by: self, from: start, busy: busy)
        guard resources.state(at: start).free >= requirement.count else { return nil }
        if case .seats(let count, _) = requirement.resources { return .seats(count) }
        let free = resources.candidates(at: start)
        if let preferred, free.contains(where: { $0.id == preferred }) { return .staff(preferred) }
        let spare = free.filter { !$0.isNeeded }
        var ids = (spare.isEmpty ? free : spare).map(\.id)
        ids.keepLeastBusy(Self.work(in: day(of: start), of: busy))
        if ids.count > 1 { ids.keepLeastBusy(try readWork(week(of: start))) }
        let date = clock.time(at: start).localTime.date
        return ids.min { tieBreak($0, on: date) < tieBreak($1, on: date) }.map { .staff($0) }
    }

    /// The 64-bit FNV-1a hash of a date, a staff member, and the salon, which decides between staff
    /// members with equally little work. The salon comes last, because the hash mixes the first bytes
    /// best, and only dates and staff members must differ in it.
    private func tieBreak(_ id: String, on date: CalendarDate) -> UInt64 {
        "\(date) \(id) \(salon.id)".utf8.reduce(0xCBF2_9CE4_8422_2325) { hash, byte in
            (hash ^ UInt64(byte)) &* 0x100_0000_01B3
        }
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

    /// The seconds of a range that each staff member works, including buffers.
    ///
    /// - Parameters:
    ///   - range: The range.
    ///   - busy: What is taken in the range, at least.
    public static func work(
        in range: Range<Timestamp>,
        of busy: [BusyInterval]
    ) -> [String: Int64] {
        var work: [String: Int64] = [:]
        for interval in busy {
            guard let id = interval.staffID else { continue }
            let start = max(interval.start, range.lowerBound)
            work[id, default: 0] += max(
                min(interval.end, range.upperBound).seconds(since: start),
                0
            )
        }
        return work
    }

    /// The day of `instant` on the salon's clock.
    private func day(of instant: Timestamp) -> Range<Timestamp> {
        days(1, from: clock.time(at: instant).localTime.date, with: instant)
    }

    /// The week of `instant` on the salon's clock, from Monday to Sunday, whose work decides if that of
    /// the day does not.
    public func week(of instant: Timestamp) -> Range<Timestamp> {
        let date = clock.time(at: instant).localTime.date
        return days(7, from: date.advanced(byDays: -date.weekday.daysSinceMonday), with: instant)
    }

    /// The time of several days, and `instant`, which is outside of them if the clock is set back over
    /// midnight.
    private func days(
        _ count: Int,
        from first: CalendarDate,
        with instant: Timestamp
    ) -> Range<Timestamp> {
        let (start, end) = (clock.start(of: first), clock.start(of: first.advanced(byDays: count)))
        return min(start, instant)..<max(end, instant)
    }
}

extension [String] {
    /// Keeps the staff members who work least.
    fileprivate mutating func keepLeastBusy(_ work: [String: Int64]) {
        let least = map { work[$0, default: 0] }.min()
        removeAll { work[$0, default: 0] != least }
    }
}
