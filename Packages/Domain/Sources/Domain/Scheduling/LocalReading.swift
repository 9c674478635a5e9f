/// Which instants a wall clock shows one local time at.
public enum LocalReading: Sendable, Hashable {
    /// At this one.
    case once(Timestamp)
    /// At none: the clock was put forward over it at `gapEnds`. The times meant may be as far
    /// `before` the jump as the clock after it would have it, or as far `after`.
    case never(before: Timestamp, after: Timestamp, gapEnds: Timestamp)
    /// At both: the clock was put back between them.
    case twice(earlier: Timestamp, later: Timestamp)

    /// The first instant at which the clock shows the time or a later one.
    var first: Timestamp {
        switch self {
        case .once(let instant): instant
        case .never(_, _, let gapEnds): gapEnds
        case .twice(let earlier, _): earlier
        }
    }
}

extension ZoneRules {
    /// Which instants the clock shows `local` at.
    public func reading(of local: LocalTime) -> LocalReading {
        let utc = Timestamp(secondsSince1970: local.secondsSince1970)
        let reach = Int64(Self.offsets.upperBound) + 1
        let start = utc.advanced(bySeconds: -reach)
        var offset = offsetSeconds(at: start)
        var holdsFrom = start
        var shown: [Timestamp] = []
        var gap: LocalReading?
        for transition in transitions(from: start, to: utc.advanced(bySeconds: reach)) {
            let before = utc.advanced(bySeconds: -Int64(offset))
            let after = utc.advanced(bySeconds: -Int64(transition.offsetSeconds))
            if holdsFrom <= before, before < transition.instant { shown.append(before) }
            if before >= transition.instant, after < transition.instant, gap == nil {
                gap = .never(before: after, after: before, gapEnds: transition.instant)
            }
            (offset, holdsFrom) = (transition.offsetSeconds, transition.instant)
        }
        let last = utc.advanced(bySeconds: -Int64(offset))
        if holdsFrom <= last { shown.append(last) }
        guard let earlier = shown.first, let later = shown.last else { return gap ?? .once(last) }
        return earlier == later ? .once(earlier) : .twice(earlier: earlier, later: later)
    }
}
