/// The time of year at which a clock changes, as in POSIX's `TZ` (RFC 9636, section 3.3.1).
public struct YearlyRule: Sendable, Hashable {
    /// How a rule states the day of the change.
    public enum Day: Sendable, Hashable {
        /// A day of the year from 1 to 365 that does not count February 29: POSIX's `Jn`.
        case withoutLeapDay(Int)
        /// A day of the year from 0 to 365 that counts February 29: POSIX's `n`.
        case withLeapDay(Int)
        /// The `week`th (1...4; 5 is the last) `weekday` (0 is Sunday) of `month` (1...12): POSIX's
        /// `Mm.w.d`.
        case weekday(month: Int, week: Int, weekday: Int)
    }

    private let day: Day
    private let secondsAfterMidnight: Int

    /// Creates a rule; nil if the day is out of range or the time is more than a week from
    /// midnight.
    public init?(_ day: Day, secondsAfterMidnight: Int) {
        let isDay =
            switch day {
            case .withoutLeapDay(let number): (1...365).contains(number)
            case .withLeapDay(let number): (0...365).contains(number)
            case .weekday(let month, let week, let weekday):
                (1...12).contains(month) && (1...5).contains(week) && (0...6).contains(weekday)
            }
        guard isDay, (-604_800...604_800).contains(secondsAfterMidnight) else { return nil }
        self.day = day
        self.secondsAfterMidnight = secondsAfterMidnight
    }

    /// The local time of the change in `year`, on the clock before the change; nil unless `year` is
    /// in 1...9999.
    func localTime(in year: Int) -> LocalTime? {
        guard let first = CalendarDate(year: year, month: 1, day: 1) else { return nil }
        let days =
            switch day {
            case .withLeapDay(let number): first.daysSince1970 + number
            case .withoutLeapDay(let number):
                first.daysSince1970 + number - 1
                    + (number >= 60 && GregorianDay.days(in: 2, of: year) == 29 ? 1 : 0)
            case .weekday(let month, let week, let weekday):
                Self.day(week, weekday, of: month, in: year)
            }
        return LocalTime(localSeconds: Int64(days * 86_400 + secondsAfterMidnight))
    }

    private static func day(_ week: Int, _ weekday: Int, of month: Int, in year: Int) -> Int {
        let first = GregorianDay.daysSince1970(year: year, month: month, day: 1)
        // 1970-01-01 was a Thursday, weekday 4. The result is negative before 1970.
        let firstWeekday = (first + 4) % 7
        let day = first + (weekday - firstWeekday + 7) % 7 + (week - 1) * 7
        return day < first + GregorianDay.days(in: month, of: year) ? day : day - 7
    }
}
