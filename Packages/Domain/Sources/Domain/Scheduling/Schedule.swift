/// The one kernel that decides when a salon can be booked, for lists of slots and for bookings, on
/// both sides of the wire: what it offers is what it allows.
///
/// Slots are cut from an opening one after the other in time as it passes, so that a clock that is
/// changed meanwhile neither loses nor doubles one.
public struct Schedule: Sendable {
    /// The longest range that is listed at once, in seconds.
    public static let longestRange: Int64 = 31 * 86_400

    /// Whose schedule it is.
    public let salon: Salon
    /// Its wall clock.
    public let clock: SalonClock

    /// A stretch in which the salon is open.
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

    /// The rule that blocks an appointment at `instant`; nil when none does.
    public func rule(
        blocking instant: Timestamp,
        busy: [BusySpan] = [],
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

    /// The rule about the distance to now that blocks `instant`; nil when none does.
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
        // The hours of the day before may reach past its midnight; those of the next have begun where
        // a clock was put back over midnight.
        for day in [0, -1, 1] {
            if let opening = opening(on: date.advanced(byDays: day)),
                opening.start <= instant, instant < opening.end
            {
                return opening
            }
        }
        return nil
    }

    /// The stretch that begins on `date`. It ends where that of the next day begins, where an
    /// exception would have both at once.
    func opening(on date: CalendarDate) -> Opening? {
        guard let hours = salon.hours(on: date) else { return nil }
        let next = date.advanced(byDays: 1)
        let lastDay = hours.closes > hours.opens ? date : next
        var end = instant(lastDay, hours.closes)
        if let following = salon.hours(on: next) {
            end = min(end, instant(next, following.opens))
        }
        return Opening(start: instant(date, hours.opens), end: end)
    }

    /// Opening and closing are read alike, so that around the clock nothing is left out: where the
    /// clock shows the time twice, the first counts, and where never, the end of the gap.
    private func instant(_ date: CalendarDate, _ time: TimeOfDay) -> Timestamp {
        clock.reading(of: LocalTime(date, time)).first
    }
}
