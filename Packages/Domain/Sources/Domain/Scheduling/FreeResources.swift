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

    /// A staff member who is free at a time, and whom an appointment can take.
    struct Candidate {
        var id: String
        /// Whether bookings without a known staff member may need the person.
        var isNeeded: Bool
    }

    private let requirement: Requirement
    private let schedule: Schedule
    private var staff: [StaffCursor] = []
    /// How many of `staff`, from the first one on, can take the appointment.
    private var candidateCount = 0
    private var totalSeats = 0
    /// How many seats are taken over time. In a salon with staff: how many bookings without a known
    /// staff member there are, each of which takes the time of some staff member.
    private var load: LoadCurve
    /// The bookings without a known staff member, at a salon with staff.
    private var unassigned: UnassignedBookings?

    /// - Parameters:
    ///   - from: The first time that is passed, or an earlier one.
    ///   - to: The last time, or a later one.
    init(
        for requirement: Requirement,
        by schedule: Schedule,
        from: Timestamp,
        to: Timestamp? = nil,
        busy: [BusyInterval]
    ) {
        self.requirement = requirement
        self.schedule = schedule
        let start = requirement.interval(from: from).lowerBound
        let end = requirement.interval(from: to ?? from).upperBound
        let precision = requirement.precision
        /// The rounded interval if it overlaps the times; otherwise nil.
        func relevant(_ interval: BusyInterval) -> BusyInterval? {
            let interval = interval.rounded(to: precision)
            let isRelevant = interval.start < min(end, interval.end) && interval.end > start
            return isRelevant ? interval : nil
        }
        guard case .staff(let members) = requirement.resources else {
            if case .seats(_, let total) = requirement.resources { totalSeats = total }
            load = LoadCurve(of: busy.compactMap(relevant))
            return
        }
        let unknown = busy.compactMap { $0.staffID == nil ? relevant($0) : nil }
        load = LoadCurve(of: unknown)
        var people = members
        if !unknown.isEmpty {
            unassigned = UnassignedBookings(in: busy.map { $0.rounded(to: precision) })
            // A person who cannot take the appointment may still take one of the unassigned
            // bookings.
            let ids = Set(members.map(\.id))
            people += schedule.salon.staff.filter { !ids.contains($0.id) }
        }
        candidateCount = members.count
        // Who can take an unassigned booking depends on its whole time.
        let firstStart = unknown.reduce(start) { min($0, $1.start) }
        let lastEnd = unknown.reduce(end) { max($0, $1.end) }
        var taken = TimesByMember(of: people, expecting: busy.count)
        for interval in busy {
            guard let id = interval.staffID, let interval = relevant(interval) else { continue }
            taken.add(interval.start..<interval.end, to: id)
        }
        staff = people.map { member in
            StaffCursor(
                member,
                working: member.hasOwnHours
                    ? OpeningTimes(salon: schedule.salon, member: member, clock: schedule.clock)
                        .continuousIntervals(from: firstStart, to: lastEnd) : nil,
                busy: taken[member.id].sorted { $0.lowerBound < $1.lowerBound }
            )
        }
    }

    /// The state for an appointment that starts at `start`.
    mutating func state(at start: Timestamp) -> State {
        let interval = requirement.interval(from: start)
        let taken = load.maximum(in: interval)
        if case .seats = requirement.resources {
            return State(free: max(totalSeats - taken, 0), total: totalSeats)
        }
        var state = State(free: -taken, total: 0)
        forEachMember(at: start) { _, rule in
            if rule != .notWorking(nil) { state.total += 1 }
            if rule == nil { state.free += 1 }
        }
        if unassigned != nil, state.free > 0 {
            state.free = min(state.free, candidates(at: start).count)
        }
        state.free = max(state.free, 0)
        return state
    }

    /// The staff members whom an appointment that starts at `start` can take, in the salon's order:
    /// those who are free, if enough people remain for the bookings without a known staff member.
    mutating func candidates(at start: Timestamp) -> [Candidate] {
        var free: [Candidate] = []
        forEachMember(at: start) {
            if $1 == nil { free.append(Candidate(id: $0.id, isNeeded: false)) }
        }
        let interval = requirement.interval(from: start)
        guard let overlap = unassigned?.overlap(with: interval) else { return free }
        let needed = people(throughout: overlap, at: start)
        // If one of these people takes the appointment, the others must be enough for the
        // unassigned bookings; if someone else takes it, all of them must be.
        let isOneSpare = needed.count > load.maximum(in: interval)
        let areAllSpare = needed.count >= overlap.maximumLoad
        return free.compactMap { candidate in
            let isNeeded = needed.contains(candidate.id)
            if isNeeded ? !isOneSpare : !areAllSpare { return nil }
            return Candidate(id: candidate.id, isNeeded: isNeeded)
        }
    }

    /// The staff members who can take the unassigned bookings that overlap an appointment: those
    /// who have no booking that overlaps the chains of these bookings (see ``UnassignedBookings``),
    /// and who work during these bookings while the salon is open.
    private mutating func people(
        throughout overlap: UnassignedBookings.Overlap,
        at start: Timestamp
    ) -> Set<String> {
        let (first, last) = (overlap.interval.lowerBound, overlap.interval.upperBound)
        let open = schedule.openingTimes
            .continuousIntervals(
                from: min(first, start),
                to: max(last, start.advanced(bySeconds: 1))
            )
            .first { $0.contains(start) && $0.overlaps(overlap.interval) }
            .map { overlap.interval.clamped(to: $0) }
        var ids: Set<String> = []
        for index in staff.indices where overlap.isFree(staff[index].member.id) {
            let isWorking = open.map { staff[index].works(throughout: $0) } ?? true
            if isWorking { ids.insert(staff[index].member.id) }
        }
        return ids
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
        for index in 0..<candidateCount {
            let isBusy = staff[index].isBusy(in: interval)
            let isWorking = staff[index].isWorking(from: start, to: end)
            body(staff[index].member, isWorking ? (isBusy ? .taken : nil) : .notWorking(nil))
        }
    }
}

/// The times at which each of several staff members is taken.
private struct TimesByMember {
    private var indices: [String: Int] = [:]
    private var ids: [String] = []
    private var times: [[Range<Timestamp>]] = []
    /// For each member, the one to whom the next time was added.
    private var following: [Int]
    private var last = 0

    /// - Parameter count: About how many times will be added.
    init(of members: [StaffMember], expecting count: Int) {
        for member in members where indices[member.id] == nil {
            indices[member.id] = ids.count
            ids.append(member.id)
        }
        following = Array(repeating: 0, count: ids.count)
        let usualCount = count / max(ids.count, 1) + 1
        times = ids.map { _ in
            var times: [Range<Timestamp>] = []
            times.reserveCapacity(usualCount)
            return times
        }
    }

    subscript(id: String) -> [Range<Timestamp>] { indices[id].map { times[$0] } ?? [] }

    /// Adds a time to a member; ignores it if there is no such member.
    mutating func add(_ time: Range<Timestamp>, to id: String) {
        guard let index = index(of: id) else { return }
        times[index].append(time)
    }

    /// Tries the member who followed the last one before, because stores list the bookings of each
    /// time in the same order. Comparing two ids is faster than hashing one.
    private mutating func index(of id: String) -> Int? {
        if last < ids.count, ids[following[last]] == id {
            last = following[last]
            return last
        }
        guard let index = indices[id] else { return nil }
        following[last] = index
        last = index
        return index
    }
}

extension StaffMember {
    /// Whether the working hours may differ from the salon's opening hours.
    fileprivate var hasOwnHours: Bool { weekly != nil || !exceptions.isEmpty }
}

extension BusyInterval {
    /// This interval in whole grains if the precision is `grains`. One without a length takes nothing.
    func rounded(to precision: TimePrecision) -> BusyInterval {
        guard start < end else { return self }
        var interval = self
        interval.start = precision.start(of: start)
        interval.end = precision.end(of: end)
        return interval
    }
}

/// Finds out whether a staff member is free at several times, which must be passed in ascending
/// order.
struct StaffCursor {
    let member: StaffMember
    /// The working hours; nil if they are the salon's.
    private let working: [Range<Timestamp>]?
    private let busy: [Range<Timestamp>]
    /// The index of the first working hours that have not ended.
    private var nextWorking = 0
    /// The index of the first busy interval that is not yet included in `busyUntil`.
    private var nextBusy = 0
    private var busyUntil = Timestamp(secondsSince1970: .min)

    /// - Parameters:
    ///   - working: The working hours in order; nil if they are the salon's.
    ///   - busy: The intervals in which the person is taken, ordered by start.
    init(_ member: StaffMember, working: [Range<Timestamp>]?, busy: [Range<Timestamp>]) {
        self.member = member
        self.working = working
        self.busy = busy
    }

    /// Whether the person works from `start` to `end` without a break.
    mutating func isWorking(from start: Timestamp, to end: Timestamp) -> Bool {
        guard let working else { return true }
        while nextWorking < working.count, working[nextWorking].upperBound <= start {
            nextWorking += 1
        }
        guard nextWorking < working.count else { return false }
        let hours = working[nextWorking]
        return hours.lowerBound <= start && end <= hours.upperBound
    }

    /// Whether the person works throughout `time` without a break. Unlike the other methods, this
    /// one accepts times in any order.
    func works(throughout time: Range<Timestamp>) -> Bool {
        working?.contains { $0.lowerBound <= time.lowerBound && time.upperBound <= $0.upperBound }
            ?? true
    }

    /// Whether an appointment takes a part of `interval`.
    mutating func isBusy(in interval: Range<Timestamp>) -> Bool {
        while nextBusy < busy.count, busy[nextBusy].lowerBound < interval.upperBound {
            busyUntil = max(busyUntil, busy[nextBusy].upperBound)
            nextBusy += 1
        }
        return busyUntil > interval.lowerBound
    }
}
