/// The instants at which a wall clock shows a local time.
public enum LocalReading: Sendable, Hashable {
    /// The clock shows the local time at one instant.
    case unique(Timestamp)
    /// No instant: the clock moved forward at `transition` and skipped the local time. `before` is
    /// the local time with the UTC offset that applies from the transition on; it is before the
    /// transition. `after` is the local time with the UTC offset that applies until the transition;
    /// it is at or after the transition.
    case gap(before: Timestamp, after: Timestamp, transition: Timestamp)
    /// Two instants: the clock moved back between them.
    case ambiguous(earlier: Timestamp, later: Timestamp)

    /// The first instant at which the clock shows the local time or a later one.
    public var first: Timestamp {
        switch self {
        case .unique(let instant): instant
        case .gap(_, _, let transition): transition
        case .ambiguous(let earlier, _): earlier
        }
    }
}

extension ZoneRules {
    /// The instants at which the zone's clock shows `local`.
    public func reading(of local: LocalTime) -> LocalReading {
        let utc = Timestamp(secondsSince1970: local.localSeconds)
        let reach = Int64(Self.offsets.upperBound) + 1
        let start = utc.advanced(bySeconds: -reach)
        var offset = offsetSeconds(at: start)
        var offsetStart = start
        var matches: [Timestamp] = []
        var gap: LocalReading?
        for transition in transitions(from: start, to: utc.advanced(bySeconds: reach)) {
            let before = utc.advanced(bySeconds: -Int64(offset))
            let after = utc.advanced(bySeconds: -Int64(transition.offsetSeconds))
            if offsetStart <= before, before < transition.instant { matches.append(before) }
            if before >= transition.instant, after < transition.instant, gap == nil {
                gap = .gap(before: after, after: before, transition: transition.instant)
            }
            (offset, offsetStart) = (transition.offsetSeconds, transition.instant)
        }
        let last = utc.advanced(bySeconds: -Int64(offset))
        if offsetStart <= last { matches.append(last) }
        guard let earlier = matches.first, let later = matches.last else {
            return gap ?? .unique(last)
        }
        return earlier == later ? .unique(earlier) : .ambiguous(earlier: earlier, later: later)
    }
}
