/// A point in time in whole seconds, UTC, counted from 1970-01-01 without leap seconds.
public struct Timestamp: Sendable, Hashable, Comparable {
    /// Seconds since 1970-01-01T00:00:00Z; negative before.
    public var secondsSince1970: Int64

    /// Makes a point in time from its count of seconds.
    public init(secondsSince1970: Int64) {
        self.secondsSince1970 = secondsSince1970
    }

    /// Orders by time, earlier first.
    public static func < (lhs: Self, rhs: Self) -> Bool {
        lhs.secondsSince1970 < rhs.secondsSince1970
    }

    /// This time moved by `seconds`, held at the ends of the range rather than trapping.
    public func advanced(bySeconds seconds: Int64) -> Timestamp {
        let (sum, overflow) = secondsSince1970.addingReportingOverflow(seconds)
        guard overflow else { return Timestamp(secondsSince1970: sum) }
        return Timestamp(secondsSince1970: seconds < 0 ? .min : .max)
    }

    /// Seconds from `earlier` to this time, held at the ends of the range; negative when
    /// `earlier` is later.
    public func seconds(since earlier: Timestamp) -> Int64 {
        let (difference, overflow) =
            secondsSince1970.subtractingReportingOverflow(earlier.secondsSince1970)
        guard overflow else { return difference }
        return earlier.secondsSince1970 < 0 ? .max : .min
    }
}
