/// The wall clock to which a salon's opening hours refer.
public enum SalonClock: Sendable, Hashable {
    /// The clock of a time zone.
    case zone(ZoneID, ZoneRules)
    /// A clock with a constant UTC offset.
    case offset(minutes: Int)

    /// The clock of the salon's zone, or, if the salon has none, a clock at `offsetMinutes`. Throws
    /// if `zones` does not know the salon's zone.
    public init(
        of salon: Salon,
        zones: any ZoneSource,
        offsetMinutes: Int
    ) throws(UnknownZoneError) {
        guard let zone = salon.timeZone else {
            self = .offset(minutes: offsetMinutes)
            return
        }
        guard let rules = zones.rules(of: zone) else { throw UnknownZoneError(zone) }
        self = .zone(zone, rules)
    }

    /// The zone; nil for a constant offset.
    public var zone: ZoneID? { if case .zone(let zone, _) = self { zone } else { nil } }

    /// `instant` on this clock.
    public func time(at instant: Timestamp) -> AppointmentTime {
        let minutes =
            switch self {
            case .zone(_, let rules): rules.offsetSeconds(at: instant) / 60
            case .offset(let minutes): minutes
            }
        return AppointmentTime(instant: instant, offsetMinutes: minutes)
    }

    /// The instants at which the clock shows `local`.
    public func reading(of local: LocalTime) -> LocalReading {
        switch self {
        case .zone(_, let rules): return rules.reading(of: local)
        case .offset(let minutes):
            let utc = Timestamp(secondsSince1970: local.secondsSince1970)
            let clamped = min(max(minutes, -1_439), 1_439)
            return .unique(utc.advanced(bySeconds: Int64(clamped) * -60))
        }
    }

    /// The time that `requested` names. Throws for a local time that the zone's clock skips or shows
    /// twice, and for an offset that is not the zone's at that time.
    public func read(_ requested: RequestedTime) throws(InvalidTimeError) -> AppointmentTime {
        guard case .zone(let zone, _) = self else {
            switch requested {
            case .instant(let instant): return AppointmentTime(instant: instant)
            case .wallClock(let asked): return asked
            case .local:
                throw InvalidTimeError(
                    reason: "needs the UTC offset of the salon's wall clock, since no time zone of "
                        + "the salon is known"
                )
            }
        }
        switch requested {
        case .instant(let instant): return time(at: instant)
        case .wallClock(let asked):
            let actual = time(at: asked.instant)
            if actual == asked { return actual }
            throw InvalidTimeError(
                reason: "has another offset than \(zone) has then; the candidates are the same "
                    + "instant and the same wall clock",
                candidates: [actual, time(at: reading(of: asked.localTime).first)]
            )
        case .local(let local):
            switch reading(of: local) {
            case .unique(let instant): return time(at: instant)
            case .gap(let before, let after, _):
                throw InvalidTimeError(
                    reason: "does not exist in \(zone), where the clock is put forward over it",
                    candidates: [time(at: before), time(at: after)]
                )
            case .ambiguous(let earlier, let later):
                throw InvalidTimeError(
                    reason: "exists twice in \(zone), where the clock is put back over it",
                    candidates: [time(at: earlier), time(at: later)]
                )
            }
        }
    }
}

extension RequestedTime {
    /// The time that this names on a salon's clock.
    ///
    /// A time with an offset is returned unchanged: ``BookAppointment`` checks it, and must see a
    /// repeated request as it was.
    public func time(on clock: SalonClock?) throws(InvalidTimeError) -> AppointmentTime {
        if case .wallClock(let time) = self { return time }
        return try (clock ?? .offset(minutes: 0)).read(self)
    }
}
