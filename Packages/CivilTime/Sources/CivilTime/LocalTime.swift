/// A date and a time as a wall clock shows them, without a UTC offset. It is not an instant until a
/// time zone is known.
public struct LocalTime: Sendable, Hashable, Comparable {
    /// The seconds since 1970-01-01T00:00:00 on the clock, within years 1 to 9999.
    public let localSeconds: Int64

    /// Creates a local time from its ``localSeconds``, clamped to the range.
    public init(localSeconds: Int64) {
        self.localSeconds = min(max(localSeconds, -62_135_596_800), 253_402_300_799)
    }

    /// Creates a local time from a date and a time; `second` is clamped to 0...59.
    public init(_ date: CalendarDate, _ time: TimeOfDay, second: Int = 0) {
        let minutes = date.daysSince1970 * 1_440 + time.minutes
        self.init(localSeconds: Int64(minutes * 60 + min(max(second, 0), 59)))
    }

    /// Creates the local time at `instant` on a clock that is `offsetSeconds` ahead of UTC.
    public init(_ instant: Timestamp, offsetSeconds: Int) {
        let local = instant.advanced(bySeconds: Int64(offsetSeconds))
        self.init(localSeconds: local.secondsSince1970)
    }

    /// The date that the clock shows.
    public var date: CalendarDate {
        CalendarDate(daysSince1970: GregorianDay.floorDivide(Int(localSeconds), 86_400))
    }

    /// The seconds since midnight on the clock, 0...86,399.
    public var secondOfDay: Int { Int(localSeconds) - date.daysSince1970 * 86_400 }

    /// The time of day; seconds are dropped.
    public var timeOfDay: TimeOfDay { TimeOfDay(minuteOfDay: secondOfDay / 60) }

    /// Compares the readings of the clock, earlier ones first.
    public static func < (lhs: Self, rhs: Self) -> Bool {
        lhs.localSeconds < rhs.localSeconds
    }
}
