/// A time of day in whole minutes, from 00:00 to 23:59.
public struct TimeOfDay: Sendable, Hashable, Comparable {
    /// Minutes since midnight, from 0 to 1,439.
    public let minutes: Int

    /// Creates a time; nil unless `hour` is 0...23 and `minute` is 0...59.
    public init?(hour: Int, minute: Int) {
        guard (0...23).contains(hour), (0...59).contains(minute) else { return nil }
        minutes = hour * 60 + minute
    }

    /// Creates a time from minutes since midnight, modulo one day: 1,440 is 00:00, and -1 is 23:59.
    public init(minuteOfDay: Int) {
        minutes = ((minuteOfDay % 1_440) + 1_440) % 1_440
    }

    /// The hour, 0...23.
    public var hour: Int { minutes / 60 }
    /// The minute of the hour, 0...59.
    public var minute: Int { minutes % 60 }

    /// Earlier times come first.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.minutes < rhs.minutes }
}

extension TimeOfDay: CustomStringConvertible {
    /// The time of day, like `09:30`.
    public var description: String {
        (hour < 10 ? "0" : "") + "\(hour):" + (minute < 10 ? "0" : "") + "\(minute)"
    }
}
