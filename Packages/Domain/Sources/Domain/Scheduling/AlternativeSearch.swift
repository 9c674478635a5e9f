/// Looks for free times instead of a time that cannot be booked: the three next ones and, if none of
/// them is on the same day, the three last ones before it.
///
/// The search asks for the free times in one range after the other, the nearest first, and stops as
/// soon as there are enough:
///
/// ```swift
/// while let range = search.nextRange { search.add(freeTimes(in: range)) }
/// ```
public struct AlternativeSearch: Sendable {
    /// How many times are wanted after the requested one, and how many before it.
    public static let count = 3
    /// The length of the search in each direction, in seconds: 31 days.
    static let seconds: Int64 = 31 * 86_400
    /// The length of its first range, which usually suffices.
    static let nearSeconds: Int64 = 2 * 86_400

    /// The date of the requested time.
    private let date: CalendarDate
    /// The ranges that have not been asked for, in reverse order.
    private var (later, earlier): ([Range<Timestamp>], [Range<Timestamp>])
    private var (after, before): ([AppointmentTime], [AppointmentTime]) = ([], [])

    /// Creates a search.
    ///
    /// - Parameters:
    ///   - time: The requested time. Its offset decides what its day is.
    ///   - first: The first instant after `time` that may be free; nil if there is none.
    ///   - last: The last instant before `time` that may be free; nil if there is none.
    ///   - bounds: The times that can be booked now.
    public init(
        around time: AppointmentTime,
        first: Timestamp?,
        last: Timestamp?,
        within bounds: Range<Timestamp>
    ) {
        date = time.localTime.date
        later = first.map { Self.ranges(from: $0) } ?? []
        earlier = last.map { Self.ranges(before: $0.advanced(bySeconds: 1)) } ?? []
        later = later.map { $0.clamped(to: bounds) }.filter { !$0.isEmpty }
        earlier = earlier.map { $0.clamped(to: bounds) }.filter { !$0.isEmpty }
    }

    /// Creates a search for a client that does not know the salon's rules: any time after `now` may be
    /// free.
    public init(around time: AppointmentTime, now: Timestamp) {
        let next = now.advanced(bySeconds: 1)
        self.init(
            around: time,
            first: max(time.instant.advanced(bySeconds: 1), next),
            last: time.instant.advanced(bySeconds: -1),
            within: next..<max(Timestamp(secondsSince1970: .max), next)
        )
    }

    private static func ranges(from start: Timestamp) -> [Range<Timestamp>] {
        let near = start.advanced(bySeconds: nearSeconds)
        return [near..<max(near, start.advanced(bySeconds: seconds)), start..<max(near, start)]
    }

    private static func ranges(before end: Timestamp) -> [Range<Timestamp>] {
        let near = end.advanced(bySeconds: -nearSeconds)
        return [min(near, end.advanced(bySeconds: -seconds))..<near, min(near, end)..<end]
    }

    /// The range whose free times are needed next; nil if there are enough, or if no range remains.
    public var nextRange: Range<Timestamp>? {
        if after.count < Self.count, let range = later.last { return range }
        return needsEarlier ? earlier.last : nil
    }

    /// Whether the last free times in ``nextRange`` are needed, instead of the first ones.
    public var looksBack: Bool { after.count >= Self.count || later.isEmpty }

    /// How many more times are needed of ``nextRange``, from its start on; nil if all of them are.
    public var enough: Int? { looksBack ? nil : Self.count - after.count }

    private var needsEarlier: Bool {
        before.count < Self.count && after.first?.localTime.date != date
    }

    /// Adds the free times in ``nextRange``, in order.
    public mutating func add(_ free: [AppointmentTime]) {
        if looksBack {
            _ = earlier.popLast()
            before = free + before
        } else {
            later.removeLast()
            after += free
        }
    }

    /// The free times that were found, in order.
    public var times: [AppointmentTime] {
        let isNeeded = after.prefix(Self.count).first?.localTime.date != date
        return (isNeeded ? Array(before.suffix(Self.count)) : []) + after.prefix(Self.count)
    }
}

extension Schedule {
    /// The maximum number of staff members that are examined for the free times in one range, over all
    /// start times. More would delay other requests.
    private static let maximumExaminations = 500_000

    /// A search for free times instead of `instant`. It begins at the next time, and at the last one
    /// before it, at which an appointment can start by the hours, the lead time, and the furthest day.
    public func alternativeSearch(
        around instant: Timestamp,
        for requirement: Requirement,
        now: Timestamp
    ) -> AlternativeSearch {
        var window = BookingWindow(of: salon, on: clock, now: now)
        let bounds = window.range
        return AlternativeSearch(
            around: clock.time(at: instant),
            first: firstPossible(after: instant, for: requirement, in: bounds),
            last: lastPossible(before: instant, for: requirement, in: bounds),
            within: bounds
        )
    }

    /// Up to three free times after `instant` and, if none of them is on the same day, up to three
    /// before it, in order.
    public func alternatives(
        to instant: Timestamp,
        for requirement: Requirement? = nil,
        busy: [BusyInterval] = [],
        now: Timestamp
    ) -> [AppointmentTime] {
        let requirement = requirement ?? usualRequirement
        var search = alternativeSearch(around: instant, for: requirement, now: now)
        while let range = search.nextRange {
            search.add(free(in: range, of: search, for: requirement, busy: busy, now: now))
        }
        return search.times
    }

    /// The free times in the next range of a search.
    public func free(
        in range: Range<Timestamp>,
        of search: AlternativeSearch,
        for requirement: Requirement,
        busy: [BusyInterval],
        now: Timestamp
    ) -> [AppointmentTime] {
        var members = 1
        if case .staff(let all) = requirement.resources { members = max(all.count, 1) }
        let limit = max(Self.maximumExaminations / members, 1)
        return clock.parts(from: range.lowerBound, to: range.upperBound).flatMap { part in
            let fixed = fixed(at: part.lowerBound)
            let all = fixed.starts(for: requirement, from: part.lowerBound, to: part.upperBound)
            let starts = search.looksBack ? all.suffix(limit) : all.prefix(limit)
            return fixed.slots(
                at: starts,
                for: requirement,
                busy: busy,
                now: now,
                isExplained: false
            )
        }.filter(\.isAvailable).map { clock.time(at: $0.start.instant) }
    }

    /// The lengths of the ranges in which the first possible time is looked for: first the next days,
    /// then up to about a year.
    private static let distances = [2] + Array(repeating: Int64(31), count: 12)

    private func firstPossible(
        after instant: Timestamp,
        for requirement: Requirement,
        in bounds: Range<Timestamp>
    ) -> Timestamp? {
        var start = max(instant.advanced(bySeconds: 1), bounds.lowerBound)
        for days in Self.distances where start < bounds.upperBound {
            let end = min(start.advanced(bySeconds: days * 86_400), bounds.upperBound)
            if let first = starts(for: requirement, from: start, to: end).first { return first }
            start = end
        }
        return nil
    }

    private func lastPossible(
        before instant: Timestamp,
        for requirement: Requirement,
        in bounds: Range<Timestamp>
    ) -> Timestamp? {
        var end = min(instant, bounds.upperBound)
        for days in Self.distances where end > bounds.lowerBound {
            let start = max(end.advanced(bySeconds: days * -86_400), bounds.lowerBound)
            if let last = starts(for: requirement, from: start, to: end).last { return last }
            end = start
        }
        return nil
    }
}
