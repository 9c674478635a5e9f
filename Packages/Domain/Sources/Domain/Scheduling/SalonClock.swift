/// The wall clock by which a salon's hours are meant.
public enum SalonClock: Sendable, Hashable {
    /// That of a zone.
    case zone(ZoneID, ZoneRules)
    /// One that is always that far ahead of UTC.
    case offset(minutes: Int)

    /// The clock of `salon`: its zone's, else the one of a request at `offsetMinutes`. Throws where
    /// it has a zone that `zones` does not know.
    public init(
        of salon: Salon,
        zones: any ZoneSource,
        offsetMinutes: Int
    ) throws(UnknownZone) {
        guard let zone = salon.timeZone else {
            self = .offset(minutes: offsetMinutes)
            return
        }
        guard let rules = zones.rules(of: zone) else { throw UnknownZone(zone) }
        self = .zone(zone, rules)
    }

    /// The zone, where there is one.
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

    /// Which instants the clock shows `local` at.
    public func reading(of local: LocalTime) -> LocalReading {
        switch self {
        case .zone(_, let rules): return rules.reading(of: local)
        case .offset(let minutes):
            let utc = Timestamp(secondsSince1970: local.secondsSince1970)
            let held = min(max(minutes, -1_439), 1_439)
            return .once(utc.advanced(bySeconds: Int64(held) * -60))
        }
    }

    /// What is meant by `requested`. Refused is a local time that the clock of a zone never shows,
    /// or shows twice, and an offset that is another than the zone has then.
    public func read(_ requested: RequestedTime) throws(TimeRefusal) -> AppointmentTime {
        guard case .zone(let zone, _) = self else { return try readWithoutZone(requested) }
        switch requested {
        case .instant(let instant): return time(at: instant)
        case .wallClock(let asked):
            let actual = time(at: asked.instant)
            if actual == asked { return actual }
            throw TimeRefusal(
                reason: "has another offset than \(zone) has then; the candidates are the same "
                    + "instant and the same wall clock",
                candidates: [actual, time(at: reading(of: asked.localTime).first)]
            )
        case .local(let local):
            switch reading(of: local) {
            case .once(let instant): return time(at: instant)
            case .never(let before, let after, _):
                throw TimeRefusal(
                    reason: "does not exist in \(zone), where the clock is put forward over it",
                    candidates: [time(at: before), time(at: after)]
                )
            case .twice(let earlier, let later):
                throw TimeRefusal(
                    reason: "exists twice in \(zone), where the clock is put back over it",
                    candidates: [time(at: earlier), time(at: later)]
                )
            }
        }
    }

    private func readWithoutZone(
        _ requested: RequestedTime
    ) throws(TimeRefusal) -> AppointmentTime {
        switch requested {
        case .instant(let instant): return AppointmentTime(instant: instant)
        case .wallClock(let asked): return asked
        case .local:
            throw TimeRefusal(
                reason: "needs the UTC offset of the salon's wall clock, since no time zone of "
                    + "the salon is known"
            )
        }
    }
}
