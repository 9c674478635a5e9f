/// The times that are neither too early nor too late to be booked now.
struct BookingWindow {
    private let leadMinutes: Int
    private let furthestDays: Int?
    private let clock: SalonClock
    private let now: Timestamp
    /// The first time that can be booked.
    private let earliest: Timestamp
    /// The first time that is too far ahead. It is computed only if needed, because the conversion
    /// by the salon's clock takes time.
    private lazy var end: Timestamp = {
        clock.start(of: last.advanced(byDays: 1))
    }()
    /// The last day that can be booked.
    private var last: CalendarDate { clock.time(at: now).localTime.date.advanced(byDays: days) }

    init(of salon: Salon, on clock: SalonClock, now: Timestamp) {
        leadMinutes = salon.leadMinutes
        furthestDays = salon.furthestDays
        self.clock = clock
        self.now = now
        let lead = Int64(min(max(leadMinutes, 0), 10_000_000)) * 60
        earliest = max(now.advanced(bySeconds: 1), now.advanced(bySeconds: lead))
    }

    /// The times that can be booked now.
    var range: Range<Timestamp> {
        mutating get {
            let last = furthestDays == nil ? Timestamp(secondsSince1970: .max) : end
            return earliest..<max(earliest, last)
        }
    }

    private var days: Int { min(max(furthestDays ?? 0, 0), 10_000_000) }

    /// Whether `instant` can be booked now.
    mutating func contains(_ instant: Timestamp) -> Bool {
        instant >= earliest && !isTooFarAhead(instant)
    }

    /// The rule that blocks `instant`, or nil. The lead time does not apply to a time that is held.
    mutating func rule(blocking instant: Timestamp, isHeld: Bool = false) -> BlockingRule? {
        if instant <= now { return .past }
        if instant < earliest, !isHeld { return .tooSoon(leadMinutes: leadMinutes) }
        guard isTooFarAhead(instant) else { return nil }
        return .tooFarAhead(furthestDays: furthestDays ?? 0, last: last)
    }

    private mutating func isTooFarAhead(_ instant: Timestamp) -> Bool {
        if furthestDays == nil { return false }
        // A clock may skip a day, so times that are at least two days before the limit need no
        // exact computation.
        let certain = now.advanced(bySeconds: Int64(days - 2) * 86_400)
        return instant >= certain && instant >= end
    }
}
