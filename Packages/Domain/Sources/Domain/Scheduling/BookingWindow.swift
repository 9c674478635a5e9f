/// The times that are neither too early nor too late to be booked now.
struct BookingWindow {
    private let salon: Salon
    private let now: Timestamp
    /// The first time that can be booked.
    private let earliest: Timestamp
    /// The first time that is too far ahead; nil without a limit.
    private let end: Timestamp?

    init(of salon: Salon, on clock: SalonClock, now: Timestamp) {
        self.salon = salon
        self.now = now
        let lead = Int64(min(max(salon.leadMinutes, 0), 10_000_000)) * 60
        earliest = max(now.advanced(bySeconds: 1), now.advanced(bySeconds: lead))
        end = salon.furthestDays.map { days in
            let today = clock.time(at: now).localTime.date
            let next = today.advanced(byDays: min(max(days, 0), 10_000_000) + 1)
            return clock.reading(of: LocalTime(next, TimeOfDay(minuteOfDay: 0))).first
        }
    }

    /// Whether `instant` can be booked now.
    func contains(_ instant: Timestamp) -> Bool {
        instant >= earliest && end.map { instant < $0 } ?? true
    }

    /// The rule that blocks `instant`, or nil.
    func rule(blocking instant: Timestamp) -> BlockingRule? {
        if instant <= now { return .past }
        if instant < earliest { return .tooSoon(leadMinutes: salon.leadMinutes) }
        return contains(instant) ? nil : .tooFarAhead(furthestDays: salon.furthestDays ?? 0)
    }
}
