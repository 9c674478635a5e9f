/// When in a year a clock is changed, as POSIX's TZ says it.
public struct YearlyRule: Sendable, Hashable {
    /// The ways to say the day.
    public enum Day: Sendable, Hashable {
        /// The day of the year from 1 to 365, where February 29 is never counted.
        case withoutLeapDay(Int)
        /// The day of the year from 0 to 365, where February 29 is counted.
        case withLeapDay(Int)
        /// The `week`th (1...4, 5 is the last) `weekday` (0 is Sunday) of `month` (1...12).
        case weekday(month: Int, week: Int, weekday: Int)
    }

    private let day: Day
    private let secondsAfterMidnight: Int

    /// Makes a rule; nil when the day is none or the time is more than a week away.
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

    /// What the clock shows just before it is changed in `year`; nil outside years 1 to 9999.
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
        return LocalTime(secondsSince1970: Int64(days * 86_400 + secondsAfterMidnight))
    }

    private static func day(_ week: Int, _ weekday: Int, of month: Int, in year: Int) -> Int {
        let first = GregorianDay.daysSince1970(year: year, month: month, day: 1)
        // 1970-01-01 was a Thursday, day 4 of a week from Sunday.
        let firstWeekday = (((first + 4) % 7) + 7) % 7
        let day = first + (weekday - firstWeekday + 7) % 7 + (week - 1) * 7
        return day < first + GregorianDay.days(in: month, of: year) ? day : day - 7
    }
}
