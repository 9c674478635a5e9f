/// The intervals in which a salon is open, or a staff member works, as instants.
///
/// A local time that occurs twice means its first instant, and a skipped one means the end of the
/// gap. This applies to opening and closing times alike, so a salon that is open around the clock
/// is open without interruption.
struct OpeningTimes: Sendable {
    /// The salon.
    var salon: Salon
    /// The staff member; nil for the salon itself.
    var member: StaffMember?
    /// The salon's wall clock.
    var clock: SalonClock

    /// The time from an opening to its closing. It may be adjacent to the next one.
    typealias Interval = Range<Timestamp>

    /// An interval, and the day whose hours it is. It may start on a later date, because hours past
    /// midnight belong to the day before.
    struct Opening {
        var day: CalendarDate
        var interval: Interval
    }

    /// The intervals that contain at least one instant of the range, in order.
    func intervals(from: Timestamp, to: Timestamp) -> [Interval] {
        openings(from: from, to: to).map(\.interval)
    }

    /// The openings that contain at least one instant of the range, in order.
    func openings(from: Timestamp, to: Timestamp) -> [Opening] {
        // Hours may extend past midnight, and a clock may skip a day, so the search starts two days
        // early and ends one day late.
        let clock = clock.limited(from: from, to: to)
        let first = clock.time(at: from).localTime.date.advanced(byDays: -2)
        let last = clock.time(at: to).localTime.date.advanced(byDays: 1)
        var openings: [Opening] = []
        var (date, hours) = (first, hours(on: first))
        while date <= last {
            let next = date.advanced(byDays: 1)
            let following = self.hours(on: next)
            append(hours, on: date, before: following.first, to: &openings, clock)
            // The last day of the calendar has no successor.
            if next == date { break }
            (date, hours) = (next, following)
        }
        return openings.filter { $0.interval.lowerBound < to && $0.interval.upperBound > from }
    }

    /// The interval that contains `instant`, or nil.
    func interval(at instant: Timestamp) -> Interval? {
        intervals(from: instant, to: instant.advanced(bySeconds: 1)).first
    }

    /// The time from the beginning to the end of the intervals without a break, as far as it is known
    /// from the intervals that contain an instant of the range: adjacent ones count as one.
    func continuousIntervals(from: Timestamp, to: Timestamp) -> [Interval] {
        var merged: [Interval] = []
        for interval in intervals(from: from, to: to) {
            if let last = merged.last, last.upperBound == interval.lowerBound {
                merged[merged.count - 1] = last.lowerBound..<interval.upperBound
            } else {
                merged.append(interval)
            }
        }
        return merged
    }

    /// Whether the time from `start` to `end`, and at least the instant `start`, is in intervals.
    /// Adjacent ones count as one.
    func contain(from start: Timestamp, to end: Timestamp) -> Bool {
        let end = max(end, start.advanced(bySeconds: 1))
        return continuousIntervals(from: start, to: end)
            .contains { $0.lowerBound <= start && end <= $0.upperBound }
    }

    /// Whether the time from `start` and for the next `minutes`, which are clamped to 0...1,440, is
    /// in intervals. Adjacent ones count as one.
    func contain(_ start: Timestamp, minutes: Int) -> Bool {
        let seconds = Int64(min(max(minutes, 0), 1_440)) * 60
        return contain(from: start, to: start.advanced(bySeconds: seconds))
    }

    private func hours(on date: CalendarDate) -> [OpeningHours] {
        member?.hours(on: date) ?? salon.hours(on: date)
    }

    /// Appends the intervals of one day. Each ends no later than the next one starts, even if the
    /// hours overlap. Adjacent intervals are not merged, because each one restarts the grid.
    private func append(
        _ hours: [OpeningHours],
        on date: CalendarDate,
        before following: OpeningHours?,
        to openings: inout [Opening],
        _ clock: SalonClock
    ) {
        let next = date.advanced(byDays: 1)
        func instant(_ date: CalendarDate, _ time: TimeOfDay) -> Timestamp {
            clock.reading(of: LocalTime(date, time)).first
        }
        for (index, opening) in hours.enumerated() {
            let start = instant(date, opening.opens)
            var end = instant(opening.closes > opening.opens ? date : next, opening.closes)
            if index + 1 < hours.count {
                end = min(end, instant(date, hours[index + 1].opens))
            } else if let following {
                end = min(end, instant(next, following.opens))
            }
            if start < end { openings.append(Opening(day: date, interval: start..<end)) }
        }
    }
}
