import Domain
import Testing

/// Time zones made from rules instead of files.
enum SampleZones {
    /// UTC+2 from the last Sunday in March to the last Sunday in October, otherwise UTC+1.
    static func berlin() throws -> (id: ZoneID, rules: ZoneRules) {
        let daylight = ZoneTail.Daylight(
            offsetSeconds: 7_200,
            begins: try lastSunday(3, hour: 2),
            ends: try lastSunday(10, hour: 3)
        )
        let tail = ZoneTail(standardOffsetSeconds: 3_600, daylight: daylight)
        let rules = ZoneRules(firstOffsetSeconds: 3_600, transitions: [], tail: tail)
        return (try #require(ZoneID("Europe/Berlin")), try #require(rules))
    }

    /// A time zone that skipped a day, as Samoa skipped 2011-12-30.
    static func samoa() throws -> (id: ZoneID, rules: ZoneRules) {
        let jump = ZoneRules.Transition(
            Timestamp(secondsSince1970: 1_325_239_200),
            offsetSeconds: 14 * 3_600
        )
        let rules = ZoneRules(firstOffsetSeconds: -36_000, transitions: [jump], tail: nil)
        return (try #require(ZoneID("Pacific/Apia")), try #require(rules))
    }

    private static func lastSunday(_ month: Int, hour: Int) throws -> YearlyRule {
        let day = YearlyRule.Day.weekday(month: month, week: 5, weekday: 0)
        return try #require(YearlyRule(day, secondsAfterMidnight: hour * 3_600))
    }
}

extension LocalTime {
    /// A local time from numbers.
    static func at(
        _ year: Int,
        _ month: Int,
        _ day: Int,
        _ hour: Int = 0,
        _ minute: Int = 0
    ) throws -> LocalTime {
        let date = try #require(CalendarDate(year: year, month: month, day: day))
        return LocalTime(date, try #require(TimeOfDay(hour: hour, minute: minute)))
    }
}
