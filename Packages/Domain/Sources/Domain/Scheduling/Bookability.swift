/// Why nothing at a salon can ever be booked, or nothing of a service or with a staff member.
///
/// The scheduling rules decide, so what is not a problem can be booked, at least on one day.
public struct Bookability {
    /// A reason. Services and staff members are given by their positions in the salon.
    public enum Problem: Sendable, Hashable {
        /// Nothing can be booked, because the salon is never open.
        case neverOpen
        /// Nothing can be booked, because the time that can be booked ends before the notice does.
        case noticeExceedsHorizon(leadMinutes: Int, furthestDays: Int)
        /// Appointments without a service cannot be booked, because no opening is that long.
        case appointmentTooLong(minutes: Int, longest: Int)
        /// Appointments without a service cannot be booked, because no one works that long at a time.
        case noOneWorksLongEnough(minutes: Int)
        /// The service cannot be booked, because no one offers it.
        case serviceWithoutStaff(Int)
        /// The service cannot be booked, because no opening is that long.
        case serviceTooLong(Int, longest: Int)
        /// The service cannot be booked, because no one who offers it works that long at a time while
        /// the salon is open.
        case serviceWithoutTime(Int)
        /// The staff member cannot be booked, because the salon is closed when they work.
        case staffWithoutTime(Int)
        /// The staff member cannot be booked, because they offer none of the services.
        case staffWithoutServices(Int)
    }

    private let salon: Salon
    /// The days that decide: a week without exceptions, and then days with exceptions.
    private let days: [(schedule: Schedule, day: CalendarDate)]

    /// The maximum number of days with exceptions that are examined, and those after each change.
    private static let (maximumDays, daysOfWeek) = (1_000, 7)

    /// Examines `salon`, of which `today` is the first day that can be booked.
    public init(of salon: Salon, from today: CalendarDate) {
        self.salon = salon
        var open = salon
        (open.leadMinutes, open.furthestDays) = (0, nil)
        // Without a grid, an appointment can start at any time.
        open.slotMinutes = salon.slotMinutes ?? Int(TimePrecision.grainSeconds / 60)
        var usual = open
        usual.exceptions = []
        for index in usual.staff.indices { usual.staff[index].exceptions = [] }
        let week = (0..<Self.daysOfWeek).map {
            (Self.schedule(of: usual), today.advanced(byDays: $0))
        }
        let others = Self.days(withExceptionsOf: salon, from: today)
        let schedule = Self.schedule(of: open)
        days = week + others.map { (schedule, $0) }
    }

    private static func schedule(of salon: Salon) -> Schedule {
        Schedule(of: salon, on: .offset(minutes: 0), precision: .grains)
    }

    /// The first days of each exception, and those after it, until the hours repeat every week.
    private static func days(
        withExceptionsOf salon: Salon,
        from today: CalendarDate
    ) -> [CalendarDate] {
        var days: Set<CalendarDate> = []
        for exception in salon.exceptions + salon.staff.flatMap(\.exceptions) {
            let (first, last) = (exception.dates.lowerBound, exception.dates.upperBound)
            for start in [max(first, today), last.advanced(byDays: 1)] {
                for offset in 0..<daysOfWeek {
                    let day = start.advanced(byDays: offset)
                    if day >= today { days.insert(day) }
                }
            }
            if days.count >= maximumDays { break }
        }
        return days.sorted()
    }

    /// Everything that can never be booked. If the salon is never open, that is the only problem.
    public var problems: [Problem] {
        let longest = longestOpening
        guard longest > 0 else { return [.neverOpen] }
        var problems: [Problem] = []
        if let problem = noticeProblem { problems.append(problem) }
        if salon.services.isEmpty {
            if let problem = appointmentProblem(longest) { problems.append(problem) }
        }
        for index in salon.services.indices {
            if let problem = problem(ofService: index, longest) { problems.append(problem) }
        }
        for index in salon.staff.indices {
            if let problem = problem(ofMember: index) { problems.append(problem) }
        }
        return problems
    }

    /// The problems that prevent every booking; empty if something can be booked, even if only without
    /// a service.
    public func fatal(among problems: [Problem]) -> [Problem] {
        let needsService = !canBeBooked(Requirement(service: nil, at: salon, .grains))
        let services = problems.count { problem in
            switch problem {
            case .serviceWithoutStaff, .serviceTooLong, .serviceWithoutTime: true
            default: false
            }
        }
        return problems.filter { problem in
            switch problem {
            case .neverOpen, .noticeExceedsHorizon, .appointmentTooLong, .noOneWorksLongEnough: true
            case .serviceWithoutStaff, .serviceTooLong, .serviceWithoutTime:
                needsService && services == salon.services.count
            case .staffWithoutTime, .staffWithoutServices: false
            }
        }
    }

    // MARK: Reasons

    private var noticeProblem: Problem? {
        guard let furthest = salon.furthestDays else { return nil }
        // At midnight, the last day that can be booked begins after this many minutes.
        let rest = salon.leadMinutes - furthest * 1_440
        guard rest > 0 else { return nil }
        let requirement = Requirement(service: nil, at: salon, .grains)
        let isPossible = days.contains { schedule, day in
            starts(schedule, day, requirement).contains { start in
                schedule.clock.time(at: start).timeOfDay.minutes >= rest
            }
        }
        if isPossible { return nil }
        return .noticeExceedsHorizon(leadMinutes: salon.leadMinutes, furthestDays: furthest)
    }

    private func appointmentProblem(_ longest: Int) -> Problem? {
        let requirement = Requirement(service: nil, at: salon, .grains)
        if canBeBooked(requirement) { return nil }
        return requirement.minutes > longest
            ? .appointmentTooLong(minutes: requirement.minutes, longest: longest)
            : .noOneWorksLongEnough(minutes: requirement.minutes)
    }

    private func problem(ofService index: Int, _ longest: Int) -> Problem? {
        let options = BookingOptions(serviceID: salon.services[index].id)
        guard let requirement = try? Requirement(of: options, at: salon, precision: .grains) else {
            return .serviceWithoutStaff(index)
        }
        if canBeBooked(requirement) { return nil }
        return requirement.minutes > longest
            ? .serviceTooLong(index, longest: longest) : .serviceWithoutTime(index)
    }

    private func problem(ofMember index: Int) -> Problem? {
        let member = salon.staff[index]
        if !salon.services.isEmpty, !salon.services.contains(where: { member.offers($0.id) }) {
            return .staffWithoutServices(index)
        }
        let works = days.contains { schedule, day in
            let range = Self.range(of: day)
            let member = schedule.salon.staff[index]
            return !schedule.workingTimes(of: member, from: range.lowerBound, to: range.upperBound)
                .isEmpty
        }
        return works ? nil : .staffWithoutTime(index)
    }

    /// The minutes of the longest time for which the salon is open.
    private var longestOpening: Int {
        days.lazy.flatMap { schedule, day in
            let range = Self.range(of: day)
            return schedule.workingTimes(of: nil, from: range.lowerBound, to: range.upperBound)
        }.map { Int($0.upperBound.seconds(since: $0.lowerBound) / 60) }.max() ?? 0
    }

    private func canBeBooked(_ requirement: Requirement) -> Bool {
        days.contains { schedule, day in
            let range = Self.range(of: day)
            var requirement = requirement
            // The staff members of this schedule may have no exceptions.
            if case .staff(let members) = requirement.resources {
                let ids = Set(members.map(\.id))
                requirement.resources = .staff(schedule.salon.staff.filter { ids.contains($0.id) })
            }
            return !schedule.slots(
                for: requirement,
                from: range.lowerBound,
                to: range.upperBound,
                now: range.lowerBound
            ).isEmpty
        }
    }

    private func starts(
        _ schedule: Schedule,
        _ day: CalendarDate,
        _ requirement: Requirement
    ) -> [Timestamp] {
        let range = Self.range(of: day)
        return schedule.starts(for: requirement, from: range.lowerBound, to: range.upperBound)
    }

    private static func range(of day: CalendarDate) -> Range<Timestamp> {
        let start = Timestamp(secondsSince1970: Int64(day.daysSince1970) * 86_400)
        return start..<start.advanced(bySeconds: 86_400)
    }
}
