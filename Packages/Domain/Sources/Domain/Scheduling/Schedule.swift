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
