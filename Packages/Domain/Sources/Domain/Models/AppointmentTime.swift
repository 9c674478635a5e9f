/// The time of an appointment: an instant, and the UTC offset of the salon's wall clock.
///
/// Times with different offsets are unequal, even if the instant is the same. Slots are compared by
/// their instants.
public struct AppointmentTime: Sendable, Hashable, Comparable {
    /// The instant.
    public var instant: Timestamp
    /// Minutes east of UTC, from -1,439 to 1,439.
    public var offsetMinutes: Int

    /// Creates a time; the offset is clamped to its range.
    public init(instant: Timestamp, offsetMinutes: Int = 0) {
        self.instant = instant
        self.offsetMinutes = min(max(offsetMinutes, -1_439), 1_439)
    }

    /// Orders by instant. Times with the same instant are ordered by offset, so that the order is
    /// total.
    public static func < (lhs: Self, rhs: Self) -> Bool {
        (lhs.instant, lhs.offsetMinutes) < (rhs.instant, rhs.offsetMinutes)
    }

    /// The date and time on the wall clock.
    public var localTime: LocalTime { LocalTime(instant, offsetSeconds: offsetMinutes * 60) }

    /// The time of day on the wall clock, without seconds.
    public var timeOfDay: TimeOfDay { localTime.timeOfDay }

    /// Whether both are in the same minute. Some servers drop the seconds.
    func isSameMinute(as other: AppointmentTime) -> Bool {
        instant.secondsSince1970 / 60 == other.instant.secondsSince1970 / 60
    }

    /// The time `minutes` later, with the same offset. `minutes` is clamped to
    /// -1,000,000,000...1,000,000,000.
    public func advanced(byMinutes minutes: Int) -> AppointmentTime {
        AppointmentTime(
            instant: instant.advanced(
                bySeconds: Int64(min(max(minutes, -1_000_000_000), 1_000_000_000)) * 60
            ),
            offsetMinutes: offsetMinutes
        )
    }
}
