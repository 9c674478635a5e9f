/// A day that depends on the present one.
public enum RelativeDay: Sendable, Hashable {
    case today
    case tomorrow
    /// The next such day, which can be today.
    case weekday(Weekday)

    /// The date if the wall clock shows `now`. With the time of day in seconds, a weekday is not today
    /// if that time has passed.
    public func date(at now: LocalTime, secondOfDay: Int? = nil) -> CalendarDate {
        switch self {
        case .today: return now.date
        case .tomorrow: return now.date.advanced(byDays: 1)
        case .weekday(let weekday):
            let days = (weekday.daysSinceMonday - now.date.weekday.daysSinceMonday + 7) % 7
            let isPast = days == 0 && secondOfDay.map { $0 <= now.secondOfDay } == true
            return now.date.advanced(byDays: isPast ? 7 : days)
        }
    }
}

/// A time of day on a day that depends on the present one.
public struct RelativeTime: Sendable, Hashable {
    /// The day.
    public var day: RelativeDay
    /// The time of day, without seconds.
    public var timeOfDay: TimeOfDay
    /// The seconds after it, 0 to 59.
    public var second: Int

    /// Creates a time.
    public init(_ day: RelativeDay, _ timeOfDay: TimeOfDay, second: Int = 0) {
        (self.day, self.timeOfDay, self.second) = (day, timeOfDay, second)
    }

    /// The time if the wall clock shows `now`.
    public func localTime(at now: LocalTime) -> LocalTime {
        let seconds = timeOfDay.minutes * 60 + second
        return LocalTime(day.date(at: now, secondOfDay: seconds), timeOfDay, second: second)
    }
}
