/// The time of an appointment: an instant, and the UTC offset of the wall clock that shows it.
///
/// Times with different offsets differ, even if the instant is the same. A slot is identified by its
/// instant.
public struct AppointmentTime: Sendable, Hashable, Comparable {
    /// The instant.
    public var instant: Timestamp
    /// Minutes east of UTC, from -1,439 to 1,439.
    public var offsetMinutes: Int

    /// Makes a time; the offset is clamped to its range.
    public init(instant: Timestamp, offsetMinutes: Int = 0) {
        self.instant = instant
        self.offsetMinutes = min(max(offsetMinutes, -1_439), 1_439)
    }

    /// Orders by instant alone, then by offset so that the order is total.
    public static func < (lhs: Self, rhs: Self) -> Bool {
        (lhs.instant, lhs.offsetMinutes) < (rhs.instant, rhs.offsetMinutes)
    }

    /// Date and time on the wall clock at this time.
    public var localTime: LocalTime { LocalTime(instant, offsetSeconds: offsetMinutes * 60) }

    /// What the wall clock shows at this time, to the minute.
    public var timeOfDay: TimeOfDay { localTime.timeOfDay }

    /// Whether both lie in one minute: servers may drop the seconds.
    func isSameMinute(as other: AppointmentTime) -> Bool {
        instant.secondsSince1970 / 60 == other.instant.secondsSince1970 / 60
    }

    /// The same wall clock, `minutes` later.
    public func advanced(byMinutes minutes: Int) -> AppointmentTime {
        AppointmentTime(
            instant: instant.advanced(
                bySeconds: Int64(min(max(minutes, -1_000_000_000), 1_000_000_000)) * 60
            ),
            offsetMinutes: offsetMinutes
        )
    }
}
