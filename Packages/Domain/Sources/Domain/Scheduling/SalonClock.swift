/// The wall clock that a salon's opening hours refer to.
public enum SalonClock: Sendable, Hashable {
    /// The clock of a time zone.
    case zone(ZoneID, ZoneRules)
    /// The clock of this machine, for a salon whose time zone is not known.
    case local(ZoneRules)
    /// A clock with a constant UTC offset, for a salon whose time zone is not known.
    case offset(minutes: Int)

    /// Creates the clock of the salon's time zone, or, if the salon states none, a clock with the
    /// offset `offsetMinutes`. Throws if `zones` does not know the salon's time zone.
    public init(
        of salon: Salon,
        zones: any ZoneSource,
        offsetMinutes: Int
    ) throws(Failure) {
        guard let zone = salon.timeZone else {
            self = .offset(minutes: offsetMinutes)
            return
        }
        guard let rules = zones.rules(of: zone) else { throw .zoneUnknown(zone) }
        self = .zone(zone, rules)
    }

    /// Creates the clock of the salon's time zone; nil if the salon states none, or one that `zones`
    /// does not know.
    init?(zoneOf salon: Salon, zones: any ZoneSource) {
        guard let zone = salon.timeZone, let rules = zones.rules(of: zone) else { return nil }
        self = .zone(zone, rules)
    }

    /// Creates the clock of the salon's time zone. If the salon states none, it is this machine's
    /// clock, unless that is not known or has a different UTC offset at `time`: then the clock
    /// always has the offset of `time`, or 0 if that is nil. Throws if `zones` does not know the
    /// salon's time zone.
    public init(
        of salon: Salon,
        zones: any ZoneSource,
        for time: AppointmentTime?
    ) throws(Failure) {
        if salon.timeZone == nil, let local = zones.localRules.map(Self.local),
            time.map({ local.time(at: $0.instant) == $0 }) ?? true
        {
            self = local
        } else {
            try self.init(of: salon, zones: zones, offsetMinutes: time?.offsetMinutes ?? 0)
        }
    }

    /// The time zone; nil if it is not known.
    public var zone: ZoneID? { if case .zone(let zone, _) = self { zone } else { nil } }

    /// The rules of the UTC offset; nil if it is constant.
    private var rules: ZoneRules? {
        switch self {
        case .zone(_, let rules), .local(let rules): rules
        case .offset: nil
        }
    }

    /// `instant` on this clock.
    public func time(at instant: Timestamp) -> AppointmentTime {
        let minutes =
            switch self {
            case .zone(_, let rules), .local(let rules): rules.offsetSeconds(at: instant) / 60
            case .offset(let minutes): minutes
            }
        return AppointmentTime(instant: instant, offsetMinutes: minutes)
    }

    /// The instant of `time` on the clock of the time zone; `time` itself if the zone is not known.
    public func salonTime(of time: AppointmentTime) -> AppointmentTime {
        zone == nil ? time : self.time(at: time.instant)
    }

    /// The instant or instants at which the clock shows `local`.
    public func reading(of local: LocalTime) -> LocalReading {
        switch self {
        case .zone(_, let rules), .local(let rules): return rules.reading(of: local)
        case .offset(let minutes):
            let utc = Timestamp(secondsSince1970: local.localSeconds)
            let clamped = min(max(minutes, -1_439), 1_439)
            return .unique(utc.advanced(bySeconds: Int64(clamped) * -60))
        }
    }

    /// A clock that agrees with this one from four days before `from` to four days after `to`, and
    /// is faster because it knows no other changes of the UTC offset.
    func limited(from: Timestamp, to: Timestamp) -> SalonClock {
        guard let rules else { return self }
        let start = from.advanced(bySeconds: -4 * 86_400)
        let end = to.advanced(bySeconds: 4 * 86_400)
        let seconds = rules.offsetSeconds(at: start)
        let changes = rules.transitions(from: start, to: end)
        if changes.isEmpty, seconds % 60 == 0, abs(seconds) < 86_400 {
            return .offset(minutes: seconds / 60)
        }
        let limited = ZoneRules(firstOffsetSeconds: seconds, transitions: changes, tail: nil)
        return zone.map { .zone($0, limited ?? rules) } ?? .local(limited ?? rules)
    }

    /// The clock by which a salon's hours are interpreted at `instant`. If the salon has no time
    /// zone, it is a clock with the UTC offset that this clock has at `instant`, because a booking
    /// at such a salon is checked at its own offset.
    func fixed(at instant: Timestamp) -> SalonClock {
        guard case .local = self else { return self }
        return .offset(minutes: time(at: instant).offsetMinutes)
    }

    /// Splits the range from `start` to `end` where ``fixed(at:)`` returns a different clock.
    func parts(from start: Timestamp, to end: Timestamp) -> [Range<Timestamp>] {
        guard case .local(let rules) = self, start < end else { return [start..<max(start, end)] }
        let changes = rules.transitions(from: start.advanced(bySeconds: 1), to: end).map(\.instant)
        return zip([start] + changes, changes + [end]).map { $0..<$1 }
    }

    /// Resolves `requested` to a time on this clock. Throws for a local time that the clock skips
    /// or shows twice, for a UTC offset that the time zone does not have at that time, and for a time
    /// without a UTC offset if the salon states no time zone. `field` is the parameter that has the time.
    public func time(
        of requested: RequestedTime,
        in field: String = "appointmentTime",
        now: Timestamp
    ) throws(Failure) -> AppointmentTime {
        guard case .zone(let zone, _) = self else {
            switch requested {
            case .instant(let instant): return AppointmentTime(instant: instant)
            case .wallClock(let time): return time
            case .local(let local): throw .invalidTime(.needsOffset(local), field: field)
            case .relative(let time):
                // Without a time zone, the present day is not known, so the candidate of the error
                // is only an example.
                let local = time.localTime(at: LocalTime(now, offsetSeconds: 0))
                throw .invalidTime(.needsOffset(local), field: field)
            }
        }
        switch requested {
        case .instant(let instant): return time(at: instant)
        case .wallClock(let requestedTime):
            let actual = time(at: requestedTime.instant)
            if actual == requestedTime { return actual }
            let invalid = InvalidTime(
                reason: "has a UTC offset that \(zone) does not have at that time; the candidates "
                    + "are the same instant and the same wall-clock time",
                candidates: [actual, time(at: reading(of: requestedTime.localTime).first)]
            )
            throw .invalidTime(invalid, field: field)
        case .local(let local): return try time(of: local, in: field)
        case .relative(let relative):
            return try time(of: relative.localTime(at: time(at: now).localTime), in: field)
        }
    }

    /// The first instant of a day.
    func start(of date: CalendarDate) -> Timestamp {
        reading(of: LocalTime(date, TimeOfDay(minuteOfDay: 0))).first
    }

    /// The time at which this clock shows `local`. Throws if the clock skips it or shows it twice.
    /// `field` is the parameter that has the time.
    public func time(
        of local: LocalTime,
        in field: String = "appointmentTime"
    ) throws(Failure) -> AppointmentTime {
        let place = zone.map { "\($0)" } ?? "this machine's time zone"
        switch reading(of: local) {
        case .unique(let instant): return time(at: instant)
        case .gap(let before, let after, _):
            let invalid = InvalidTime(
                reason: "does not exist in \(place), because the clocks go forward and skip it",
                candidates: [time(at: before), time(at: after)]
            )
            throw .invalidTime(invalid, field: field)
        case .ambiguous(let earlier, let later):
            let invalid = InvalidTime(
                reason: "occurs twice in \(place), because the clocks go back and repeat it",
                candidates: [time(at: earlier), time(at: later)]
            )
            throw .invalidTime(invalid, field: field)
        }
    }
}

extension RequestedTime {
    /// Resolves this to a time on a salon's clock, or in UTC if `clock` is nil.
    ///
    /// Returns a time with a UTC offset unchanged. ``BookAppointment`` checks the offset later,
    /// because a repeated request must be recognized even if the salon's time zone has changed.
    public func time(
        on clock: SalonClock?,
        now: Timestamp
    ) throws(Failure) -> AppointmentTime {
        if case .wallClock(let time) = self { return time }
        return try (clock ?? .offset(minutes: 0)).time(of: self, now: now)
    }
}

extension InvalidTime {
    /// What is wrong with a wall-clock time at a salon without a known time zone. The candidate is an
    /// example, in UTC.
    fileprivate static func needsOffset(_ local: LocalTime) -> InvalidTime {
        let utc = Timestamp(secondsSince1970: local.localSeconds)
        return InvalidTime(
            reason:
                "needs a date and a UTC offset, because the salon states no time zone that is known "
                + "here; its hours apply at any offset",
            candidates: [AppointmentTime(instant: utc)]
        )
    }
}
