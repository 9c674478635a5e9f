import CivilTime
import Testing

/// Rules for tests, and shorthands for times.
enum SampleRules {
    /// Berlin's rule since 1996: one hour ahead of UTC, and two hours from the last Sunday of March
    /// at 02:00 to the last Sunday of October at 03:00.
    static func berlinTail() throws -> ZoneTail {
        let daylight = ZoneTail.Daylight(
            offsetSeconds: 7_200,
            begins: try lastSunday(of: 3, hour: 2),
            ends: try lastSunday(of: 10, hour: 3)
        )
        return try #require(ZoneTail(standardOffsetSeconds: 3_600, daylight: daylight))
    }

    static func rules(
        from firstOffset: Int,
        _ transitions: [(instant: Int64, offset: Int)] = [],
        tail: ZoneTail? = nil
    ) throws -> ZoneRules {
        let transitions = transitions.map {
            ZoneRules.Transition(instant($0.instant), offsetSeconds: $0.offset)
        }
        return try #require(
            ZoneRules(firstOffsetSeconds: firstOffset, transitions: transitions, tail: tail)
        )
    }

    static func instant(_ seconds: Int64) -> Timestamp { Timestamp(secondsSince1970: seconds) }

    static func local(_ seconds: Int64) -> LocalTime { LocalTime(localSeconds: seconds) }

    private static func lastSunday(of month: Int, hour: Int) throws -> YearlyRule {
        let day = YearlyRule.Day.weekday(month: month, week: 5, weekday: 0)
        return try #require(YearlyRule(day, secondsAfterMidnight: hour * 3_600))
    }
}
