import Domain

/// Decides minute by minute what can be booked. It is slow and shares no code with ``Schedule``, so
/// that tests can compare both.
struct MinuteTable {
    private let salon: Salon
    private let options: BookingOptions
    private let change: ClockChange
    private let grain: Int
    private let now: Timestamp
    private let minutes: Range<Int>
    /// The latest reading of the clock so far, in minutes since 1970.
    private var latest: [Int] = []
    /// The minute at which the current opening began; nil if the salon is closed.
    private var opening: [Int?] = []
    private var working: [String: [Bool]] = [:]
    private var busy: [String: [Bool]] = [:]
    /// The seats that are taken, or the bookings that take an unknown staff member.
    private var load: [Int]
    /// The minutes of each of those bookings.
    private var unassigned: [Range<Int>] = []

    init(of generated: GeneratedSchedule, _ precision: TimePrecision) {
        salon = generated.salon
        options = generated.options
        change = generated.change
        now = generated.now
        grain = precision == .grains ? 5 : 1
        let from = Int(generated.from.secondsSince1970 / 60)
        let to = Int(generated.to.secondsSince1970 / 60)
        minutes = from - 8 * 1_440..<to + 8 * 1_440
        load = Array(repeating: 0, count: minutes.count)
        for minute in minutes {
            latest.append(max(latest.last ?? .min, minute + change.offset(at: minute)))
        }
        opening = openings { salon.exceptions.hours(on: $0) ?? salonHours($0) }
        for member in salon.staff {
            let openings = openings { date in
                member.exceptions.hours(on: date) ?? member.weekly?[date.weekday]
                    ?? salon.exceptions.hours(on: date) ?? salonHours(date)
            }
            let hasOwnHours = member.weekly != nil || !member.exceptions.isEmpty
            working[member.id] = openings.map { !hasOwnHours || $0 != nil }
            busy[member.id] = openings.map { _ in false }
        }
        for interval in generated.busy { take(interval) }
    }

    private func salonHours(_ date: CalendarDate) -> [OpeningHours] {
        salon.weekly?[date.weekday] ?? [salon.hours]
    }

    private func index(_ minute: Int) -> Int { minute - minutes.lowerBound }

    /// The start of the opening at each minute, found by reading the clock minute by minute.
    private func openings(_ hours: (CalendarDate) -> [OpeningHours]) -> [Int?] {
        let days = day(latest[0]) - 2...day(latest[latest.count - 1]) + 1
        var events: [(opens: Int, closes: Int)] = []
        for day in days {
            for hours in hours(CalendarDate(daysSince1970: day)) {
                let isOvernight = hours.closes <= hours.opens
                let midnight = day * 1_440
                events.append(
                    (
                        midnight + hours.opens.minutes,
                        midnight + hours.closes.minutes + (isOvernight ? 1_440 : 0)
                    )
                )
            }
        }
        var (next, current): (Int, (start: Int, closes: Int)?) = (0, nil)
        return minutes.map { minute in
            let clock = latest[index(minute)]
            while next < events.count, events[next].opens <= clock {
                current = (minute, events[next].closes)
                next += 1
            }
            if let closes = current?.closes, closes <= clock { current = nil }
            return current?.start
        }
    }

    private mutating func take(_ interval: BusyInterval) {
        let start = floor(Int(interval.start.secondsSince1970).floorDivided(by: 60))
        let end = -floor((-Int(interval.end.secondsSince1970)).floorDivided(by: 60))
        if interval.start == interval.end { return }
        if interval.staffID == nil { unassigned.append(start..<end) }
        for minute in start..<end where minutes.contains(minute) {
            let index = index(minute)
            if let id = interval.staffID, !salon.staff.isEmpty {
                busy[id]?[index] = true
            } else {
                load[index] += interval.seats
            }
        }
    }

    /// The date that the clock shows in a local minute, in days since 1970.
    private func day(_ localMinute: Int) -> Int { localMinute.floorDivided(by: 1_440) }

    private func floor(_ minute: Int) -> Int { minute.floorDivided(by: grain) * grain }

    /// Whether more is taken at some minute than the salon has: seats, or people who work then. Also
    /// if one person has two of the intervals at once.
    func isOverbooked(_ intervals: [BusyInterval]) -> Bool {
        var (people, unknown): ([String: Set<Int>], [Int: Int]) = ([:], [:])
        for interval in intervals where interval.start < interval.end {
            for minute in Int(
                interval.start.secondsSince1970 / 60
            )..<Int(interval.end.secondsSince1970 / 60) {
                if let id = interval.staffID, !salon.staff.isEmpty {
                    if !people[id, default: []].insert(minute).inserted { return true }
                } else {
                    unknown[minute, default: 0] += interval.seats
                }
            }
        }
        return unknown.contains { minute, count in
            let workers = salon.staff.map(\.id).filter { id in
                working[id]?[index(minute)] == true && people[id]?.contains(minute) != true
            }
            return count > (salon.staff.isEmpty ? max(salon.seats ?? 1, 1) : workers.count)
        }
    }

    // MARK: - What a customer wants

    private var service: Service? { salon.services.first { $0.id == options.serviceID } }
    private var length: Int { service?.minutes ?? salon.slotMinutes ?? 30 }

    /// The minutes that an appointment takes, with its buffers.
    private func taken(from minute: Int) -> Range<Int> {
        let first = floor(minute - (service?.bufferBefore ?? 0))
        return first..<(-floor(-(minute + length + (service?.bufferAfter ?? 0))))
    }

    /// The staff members who offer the service and work from `minute` on.
    func workers(at minute: Int) -> [String] {
        salon.staff.filter { member in
            if let chosen = options.staffID, chosen != member.id { return false }
            if let service, let offered = member.services, !offered.contains(service.id) {
                return false
            }
            return (minute..<minute + length).allSatisfy { working[member.id]?[index($0)] == true }
        }
        .map(\.id)
    }

    /// The staff members who could take an appointment at `minute`.
    func freeStaff(at minute: Int) -> [String] {
        workers(at: minute).filter { id in
            taken(from: minute).allSatisfy { busy[id]?[index($0)] == false }
        }
    }

    /// How many staff members or seats are free.
    func free(at minute: Int) -> Int {
        let load = taken(from: minute).map { self.load[index($0)] }.max() ?? 0
        if salon.staff.isEmpty { return max((salon.seats ?? 1) - load, 0) }
        let free = freeStaff(at: minute).count - load
        return max(min(free, candidates(at: minute).count), 0)
    }

    /// The staff members whom an appointment at `minute` can take, and whether bookings without a
    /// known staff member may need them.
    func candidates(at minute: Int) -> [(id: String, isNeeded: Bool)] {
        let taken = taken(from: minute)
        let direct = unassigned.filter { $0.overlaps(taken) }
        guard let first = direct.map(\.lowerBound).min(),
            let last = direct.map(\.upperBound).max()
        else { return freeStaff(at: minute).map { ($0, false) } }
        let chained = chain(of: direct)
        let open = openMinutes(around: minute)
        let openMinutes = (first..<last).filter(open.contains)
        let needed = salon.staff.map(\.id).filter { id in
            chained.allSatisfy { busy[id]?[index($0)] == false }
                && openMinutes.allSatisfy { working[id]?[index($0)] == true }
        }
        let load = taken.map { self.load[index($0)] }.max() ?? 0
        let chainLoad = chained.map { self.load[index($0)] }.max() ?? 0
        return freeStaff(at: minute).compactMap { id in
            if needed.contains(id) { return needed.count > load ? (id, true) : nil }
            return needed.count >= chainLoad ? (id, false) : nil
        }
    }

    /// The minutes of bookings, of those that overlap them, and so on.
    private func chain(of bookings: [Range<Int>]) -> Set<Int> {
        var minutes = Set(bookings.joined())
        while true {
            let next = unassigned.filter { !minutes.isDisjoint(with: $0) }
            let count = minutes.count
            for booking in next { minutes.formUnion(booking) }
            if minutes.count == count { return minutes.intersection(self.minutes) }
        }
    }

    /// Whether the time is listed, whether or not it is free.
    func isListed(_ minute: Int) -> Bool {
        guard let start = opening[index(minute)] else { return false }
        return (minute - start) % (salon.slotMinutes ?? 30) == 0 && fits(minute)
            && (salon.staff.isEmpty || !workers(at: minute).isEmpty)
    }

    /// Whether the salon is open from `minute` on for the length of the appointment, even if that
    /// takes several openings.
    private func fits(_ minute: Int) -> Bool {
        (minute..<minute + length).allSatisfy { opening[index($0)] != nil }
    }

    /// The minutes before and after `minute` until the salon closes.
    private func openMinutes(around minute: Int) -> Range<Int> {
        var (first, last) = (minute, minute)
        while first > minutes.lowerBound, opening[index(first - 1)] != nil { first -= 1 }
        while last < minutes.upperBound, opening[index(last)] != nil { last += 1 }
        return opening[index(minute)] == nil ? minute..<minute : first..<last
    }

    /// Whether an appointment can be booked, even at a time that is not listed.
    func isBookable(_ minute: Int) -> Bool {
        guard let start = opening[index(minute)] else { return false }
        if let step = salon.slotMinutes, (minute - start) % step != 0 { return false }
        if salon.slotMinutes != nil || service != nil, !fits(minute) { return false }
        return isInWindow(minute) && free(at: minute) >= options.seats
    }

    func isInWindow(_ minute: Int) -> Bool {
        let seconds = Int64(minute) * 60 - now.secondsSince1970
        guard seconds > 0, seconds >= Int64(salon.leadMinutes) * 60 else { return false }
        guard let days = salon.furthestDays else { return true }
        let nowMinute = Int(now.secondsSince1970).floorDivided(by: 60)
        let today = day(nowMinute + change.offset(at: nowMinute))
        return day(latest[index(minute)]) <= today + days
    }

    /// Whether the clock is not being set back over midnight at `minute`.
    func isOnOneDay(_ minute: Int) -> Bool {
        day(minute + change.offset(at: minute)) == day(latest[index(minute)])
    }

    /// The staff member whom docs/Times.md names of those who are free at `minute`: the one with the
    /// least work on that day, then in that week, and then the one with the smallest hash.
    func assigned(_ free: [String], at minute: Int, _ intervals: [BusyInterval]) -> String? {
        let date = day(latest[index(minute)])
        // Day 0 was a Thursday.
        let monday = date - (date + 3) % 7
        let daily = work(on: date...date, intervals)
        let weekly = work(on: monday...monday + 6, intervals)
        let text = CalendarDate(daysSince1970: date).description
        return free.min { one, other in
            let keys = [one, other].map {
                (daily[$0] ?? 0, weekly[$0] ?? 0, Self.hash("\(text) \($0) \(salon.id)"))
            }
            return keys[0] < keys[1]
        }
    }

    /// FNV-1a with 64 bits.
    private static func hash(_ text: String) -> UInt64 {
        var hash: UInt64 = 14_695_981_039_346_656_037
        for byte in text.utf8 {
            hash ^= UInt64(byte)
            hash = hash.multipliedFullWidth(by: 1_099_511_628_211).low
        }
        return hash
    }

    /// The seconds that each staff member works from the first minute to the last one at which the
    /// clock shows one of these days.
    private func work(on dates: ClosedRange<Int>, _ intervals: [BusyInterval]) -> [String: Int64] {
        let shown = minutes.filter { dates.contains(day(latest[index($0)])) }
        let start = Int64(shown[0]) * 60
        let end = Int64(shown[shown.count - 1] + 1) * 60
        var work: [String: Int64] = [:]
        for interval in intervals {
            let first = max(start, interval.start.secondsSince1970)
            let last = min(end, interval.end.secondsSince1970)
            if let id = interval.staffID, first < last { work[id, default: 0] += last - first }
        }
        return work
    }
}

extension [OpeningException] {
    fileprivate func hours(on date: CalendarDate) -> [OpeningHours]? {
        first { $0.dates.lowerBound <= date && date <= $0.dates.upperBound }?.hours
    }
}

extension Int {
    fileprivate func floorDivided(by divisor: Int) -> Int {
        self / divisor - (self % divisor < 0 ? 1 : 0)
    }
}
