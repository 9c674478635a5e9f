/// The scheduling rules: when a salon can be booked. Lists of slots and bookings use them, in the
/// client and in the backend, so every slot that is offered can be booked.
///
/// Slots follow each other in elapsed time, so a change of the clock neither loses nor repeats one.
public struct Schedule: Sendable {
    /// The longest range to list at once, in seconds.
    public static let longestRange: Int64 = 31 * 86_400

    /// The salon.
    public let salon: Salon
    /// The salon's wall clock.
    public let clock: SalonClock

    /// An interval in which the salon is open.
    struct Opening {
        var start: Timestamp
        var end: Timestamp
    }

    /// Makes the schedule of `salon` on `clock`.
    public init(of salon: Salon, on clock: SalonClock) {
        self.salon = salon
        self.clock = clock
    }

    /// Whether the salon is open at `instant`.
    public func isOpen(at instant: Timestamp) -> Bool { opening(at: instant) != nil }

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
        // Only a stated length makes a grid, and only then is it known when the appointment ends.
        if let minutes = salon.slotMinutes,
            instant.seconds(since: opening.start) % seconds != 0 || end > opening.end
        {
            return .offGrid(slotMinutes: minutes)
        }
        if let limit = limit(on: instant, now: now) { return limit }
        return busy.contains { $0.start < end && $0.end > instant } ? .taken : nil
    }

    /// The rule about the time until the appointment that blocks `instant`; nil if none does.
    func limit(on instant: Timestamp, now: Timestamp) -> BlockingRule? {
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
        // The hours of the day before may extend past midnight. Those of the next day may have begun if
        // the clock moved back over midnight.
        for day in [0, -1, 1] {
            if let opening = opening(on: date.advanced(byDays: day)),
                opening.start <= instant, instant < opening.end
            {
                return opening
            }
        }
        return nil
    }

    /// The opening that begins on `date`. It ends when that of the next day begins, even if an exception
    /// says otherwise.
    ///
    /// Opening and closing times are interpreted in the same way, so a salon that is open around the
    /// clock has no gap: the first of two instants, or the end of a skipped hour.
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
