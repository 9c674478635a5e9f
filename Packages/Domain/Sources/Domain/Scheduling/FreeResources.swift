/// Finds the staff members or seats that are free at several times, which must be passed in
/// ascending order.
struct FreeResources {
    /// The staff members or seats at one time.
    struct State {
        /// How many are free.
        var free: Int
        /// How many there are: the staff members who work then, or all seats.
        var total: Int
    }

    private let requirement: Requirement
    private var staff: [StaffCursor] = []
    private var totalSeats = 0
    /// The seats that are taken. In a salon with staff, the bookings whose staff member is not
    /// known: each takes someone's time.
    private var load: LoadCurve

    /// - Parameters:
    ///   - from: The first time that is passed, or an earlier one.
    ///   - to: The last time, or a later one.
    init(
        for requirement: Requirement,
        by schedule: Schedule,
        from: Timestamp,
        to: Timestamp,
        busy: [BusyInterval]
    ) {
        self.requirement = requirement
        let start = requirement.interval(from: from).lowerBound
        let end = requirement.interval(from: to).upperBound
        let precision = requirement.precision
        let busy = busy.compactMap { interval in
            let interval = interval.rounded(to: precision)
            let isRelevant = interval.start < min(end, interval.end) && interval.end > start
            return isRelevant ? interval : nil
        }
        guard case .staff(let members) = requirement.resources else {
            if case .seats(_, let total) = requirement.resources { totalSeats = total }
            load = LoadCurve(of: busy)
            return
        }
        load = LoadCurve(of: busy.lazy.filter { $0.staffID == nil })
        let busyByMember = Dictionary(grouping: busy) { $0.staffID }
        let clock = schedule.clock
        staff = members.map { member in
            let times = OpeningTimes(salon: schedule.salon, member: member, clock: clock)
            return StaffCursor(
                member,
                working: member.hasOwnHours ? times.intervals(from: from, to: end) : nil,
                busy: (busyByMember[member.id] ?? []).sorted { $0.start < $1.start }
            )
        }
    }

    /// The state for an appointment that starts at `start`.
    mutating func state(at start: Timestamp) -> State {
        let taken = load.maximum(in: requirement.interval(from: start))
        if case .seats = requirement.resources {
            return State(free: max(totalSeats - taken, 0), total: totalSeats)
        }
        var state = State(free: -taken, total: 0)
        forEachMember(at: start) { _, rule in
            if rule != .notWorking(nil) { state.total += 1 }
            if rule == nil { state.free += 1 }
        }
        state.free = max(state.free, 0)
        return state
    }

    /// The staff members for an appointment that starts at `start`, in the salon's order; empty if
    /// the salon has no staff.
    mutating func staff(at start: Timestamp) -> [StaffAvailability] {
        var staff: [StaffAvailability] = []
        forEachMember(at: start) { staff.append(.init(staffID: $0.id, rule: $1?.name)) }
        return staff
    }

    private mutating func forEachMember(
        at start: Timestamp,
        _ body: (StaffMember, BlockingRule?) -> Void
    ) {
        let interval = requirement.interval(from: start)
        let end = requirement.end(from: start)
        for index in staff.indices {
            let isBusy = staff[index].isBusy(in: interval)
            let isWorking = staff[index].isWorking(from: start, to: end)
            body(staff[index].member, isWorking ? (isBusy ? .taken : nil) : .notWorking(nil))
        }
    }
}

extension StaffMember {
    /// Whether the working hours may differ from the salon's opening hours.
    fileprivate var hasOwnHours: Bool { weekly != nil || !exceptions.isEmpty }
}

extension BusyInterval {
    fileprivate func rounded(to precision: TimePrecision) -> BusyInterval {
        var interval = self
        interval.start = precision.start(of: start)
        interval.end = precision.end(of: end)
        return interval
    }
}
