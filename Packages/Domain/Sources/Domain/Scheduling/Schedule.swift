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

    /// An interval in which the salon is open.
    struct Opening {
        var start: Timestamp
        var end: Timestamp
    }

    /// Creates the schedule of `salon` on `clock`.
    public init(of salon: Salon, on clock: SalonClock) {
        self.salon = salon
        self.clock = clock
    }

    /// Whether the salon is open at `instant`.
    public func isOpen(at instant: Timestamp) -> Bool { opening(at: instant) != nil }

    /// Whether the salon is open at `start` and for the next `minutes`, which are clamped to
    /// 0...1,440. Adjacent openings count as one.
    func isOpen(at start: Timestamp, minutes: Int) -> Bool {
        let end = start.advanced(bySeconds: Int64(min(max(minutes, 0), 1_440)) * 60)
        var instant = start
        repeat {
            guard let opening = opening(at: instant) else { return false }
            instant = opening.end
        } while instant < end
        return true
    }

    /// The rule that blocks an appointment at `instant`; nil if it can be booked.
    public func rule(
        blocking instant: Timestamp,
        busy: [BusyInterval] = [],
        now: Timestamp
    ) -> BlockingRule? {
        if instant <= now { return .past }
        guard let opening = opening(at: instant) else {
            let date = clock.time(at: instant).localTime.date
            return salon.hours(on: date).map { .outsideHours($0) } ?? .closedDay(date)
        }
        let seconds = slotSeconds
        let end = instant.advanced(bySeconds: seconds)
        // Without a stated length there is no grid, and the end of the appointment is unknown.
        if let minutes = salon.slotMinutes,
            instant.seconds(since: opening.start) % seconds != 0 || end > opening.end
        {
            return .offGrid(slotMinutes: minutes)
        }
        if let rule = bookingWindowRule(blocking: instant, now: now) { return rule }
        return busy.contains { $0.start < end && $0.end > instant } ? .taken : nil
    }

    /// The rule that blocks `instant` because it is too early or too late to book it at `now`,
    /// or nil.
    func bookingWindowRule(blocking instant: Timestamp, now: Timestamp) -> BlockingRule? {
        if instant <= now { return .past }
        let lead = Int64(min(max(salon.leadMinutes, 0), 10_000_000)) * 60
        if instant < now.advanced(bySeconds: lead) {
            return .tooSoon(leadMinutes: salon.leadMinutes)
        }
        guard let days = salon.furthestDays else { return nil }
        let last = clock.time(at: now).localTime.date.advanced(byDays: days)
        return clock.time(at: instant).localTime.date > last
            ? .tooFarAhead(furthestDays: days) : nil
    }

    var slotSeconds: Int64 { Int64(min(max(salon.appointmentMinutes, 1), 1_440)) * 60 }

    private func opening(at instant: Timestamp) -> Opening? {
        let date = clock.time(at: instant).localTime.date
        // The hours of the previous day may extend past midnight. The hours of the next day may
        // have started already if the clock was set back across midnight.
        for day in [0, -1, 1] {
            if let opening = opening(on: date.advanced(byDays: day)),
                opening.start <= instant, instant < opening.end
            {
                return opening
            }
        }
        return nil
    }

    /// The opening that starts on `date`; nil if the salon is closed. It ends no later than the
    /// start of the next day's opening, even if an exception states longer hours.
    ///
    /// A local time that occurs twice means its first instant, and a skipped one means the end of
    /// the gap. This applies to opening and closing times alike, so a salon that is open around the
    /// clock has no gap.
    func opening(on date: CalendarDate) -> Opening? {
        guard let hours = salon.hours(on: date) else { return nil }
        let next = date.advanced(byDays: 1)
        let lastDay = hours.closes > hours.opens ? date : next
        var end = clock.reading(of: LocalTime(lastDay, hours.closes)).first
        if let following = salon.hours(on: next) {
            end = min(end, clock.reading(of: LocalTime(next, following.opens)).first)
        }
        let start = clock.reading(of: LocalTime(date, hours.opens)).first
        return Opening(start: start, end: end)
    }
}
