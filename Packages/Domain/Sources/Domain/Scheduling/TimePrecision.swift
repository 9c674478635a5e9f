/// How the times of appointments are compared.
public enum TimePrecision: Sendable, Hashable {
    /// By the exact instants.
    case exact
    /// In grains: intervals of five minutes, counted from the Unix epoch. An appointment takes every
    /// grain that it touches.
    case grains

    /// The length of a grain, in seconds.
    public static let grainSeconds: Int64 = 300

    /// The start of the time that is taken by something that starts at `start`.
    public func start(of start: Timestamp) -> Timestamp {
        switch self {
        case .exact: start
        case .grains: start.advanced(bySeconds: -Self.secondsIntoGrain(start))
        }
    }

    /// The end of the time that is taken by something that ends at `end`.
    public func end(of end: Timestamp) -> Timestamp {
        guard self == .grains else { return end }
        let seconds = Self.secondsIntoGrain(end)
        return seconds == 0 ? end : end.advanced(bySeconds: Self.grainSeconds - seconds)
    }

    private static func secondsIntoGrain(_ instant: Timestamp) -> Int64 {
        let remainder = instant.secondsSince1970 % grainSeconds
        return remainder < 0 ? remainder + grainSeconds : remainder
    }
}
