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

/// A time in one of the forms that a caller can use.
public enum RequestedTime: Sendable, Hashable {
    /// An instant in UTC.
    case instant(Timestamp)
    /// A wall-clock time with a UTC offset.
    case wallClock(AppointmentTime)
    /// A wall-clock time without a UTC offset.
    case local(LocalTime)
    /// A wall-clock time on a day that depends on the present one, without a UTC offset.
    case relative(RelativeTime)
}

/// The start or the exclusive end of a range of times, as a caller writes it.
public enum RangeBound: Sendable, Hashable {
    /// A time.
    case time(RequestedTime)
    /// The first instant of a day.
    case day(CalendarDate)
    /// The first instant of the day that is `daysLater` days after the relative day.
    case relativeDay(RelativeDay, daysLater: Int)

    /// The instant of this bound. A local time or a day is interpreted on `clock`. A time with a
    /// UTC offset may have any offset, because the offset only serves to compute the instant.
    /// Throws for a local time that the clock skips or shows twice. `field` is the parameter that has
    /// the bound.
    public func instant(
        on clock: SalonClock,
        in field: String,
        now: Timestamp
    ) throws(Failure) -> Timestamp {
        switch self {
        case .time(.wallClock(let time)): time.instant
        case .time(let requested): try clock.time(of: requested, in: field, now: now).instant
        case .day(let date): clock.start(of: date)
        case .relativeDay(let day, let count):
            clock.start(of: day.date(at: clock.time(at: now).localTime).advanced(byDays: count))
        }
    }

    /// This bound without a day that depends on the present one, if the wall clock shows `now`.
    public func absolute(at now: LocalTime) -> RangeBound {
        switch self {
        case .time(.relative(let time)): .time(.local(time.localTime(at: now)))
        case .relativeDay(let day, let count): .day(day.date(at: now).advanced(byDays: count))
        case .time, .day: self
        }
    }
}

/// Why a requested time does not name exactly one instant.
public struct InvalidTime: Sendable, Hashable {
    /// The reason, worded so that it forms a sentence after the name of the field.
    public var reason: String
    /// The times that the caller may have intended.
    public var candidates: [AppointmentTime] = []
}
