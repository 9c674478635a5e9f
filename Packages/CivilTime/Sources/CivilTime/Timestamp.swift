/// An instant in whole seconds since 1970-01-01T00:00:00Z, without leap seconds, as in POSIX.
public struct Timestamp: Sendable, Hashable, Comparable {
    /// The seconds since 1970-01-01T00:00:00Z; negative for an earlier instant.
    public var secondsSince1970: Int64

    /// Creates an instant from its count of seconds.
    public init(secondsSince1970: Int64) {
        self.secondsSince1970 = secondsSince1970
    }

    /// Earlier instants come first.
    public static func < (lhs: Self, rhs: Self) -> Bool {
        lhs.secondsSince1970 < rhs.secondsSince1970
    }

    /// The instant `seconds` later, clamped to the range of `Int64`.
    public func advanced(bySeconds seconds: Int64) -> Timestamp {
        let (sum, overflow) = secondsSince1970.addingReportingOverflow(seconds)
        guard overflow else { return Timestamp(secondsSince1970: sum) }
        return Timestamp(secondsSince1970: seconds < 0 ? .min : .max)
    }

    /// Seconds from `earlier` to this instant, clamped to the range of `Int64`; negative if
    /// `earlier` is later.
    public func seconds(since earlier: Timestamp) -> Int64 {
        let (difference, overflow) =
            secondsSince1970.subtractingReportingOverflow(earlier.secondsSince1970)
        guard overflow else { return difference }
        return earlier.secondsSince1970 < 0 ? .max : .min
    }
}
