import Testing

@testable import CivilTime

@Suite("Rules for a day of the year")
struct YearlyRuleTests {
    private func date(_ day: YearlyRule.Day, in year: Int) throws -> String {
        let rule = try #require(YearlyRule(day, secondsAfterMidnight: 7_200))
        let local = try #require(rule.localTime(in: year))
        #expect(local.secondOfDay == 7_200)
        return local.date.description
    }

    @Test(
        "a day counted without February 29 has the same date every year",
        arguments: [
            (1, "01-01"), (58, "02-27"), (59, "02-28"), (60, "03-01"), (61, "03-02"),
            (365, "12-31"),
        ]
    )
    func withoutLeapDay(number: Int, date: String) throws {
        for year in [2023, 2024, 2100, 2000] {
            #expect(try self.date(.withoutLeapDay(number), in: year) == "\(year)-\(date)")
        }
    }

    @Test(
        "a day counted with February 29 comes a day earlier in a leap year",
        arguments: [
            (0, "2023-01-01", "2024-01-01"), (58, "2023-02-28", "2024-02-28"),
            (59, "2023-03-01", "2024-02-29"), (60, "2023-03-02", "2024-03-01"),
            (364, "2023-12-31", "2024-12-30"), (365, "2024-01-01", "2024-12-31"),
        ]
    )
    func withLeapDay(number: Int, common: String, leap: String) throws {
        #expect(try date(.withLeapDay(number), in: 2023) == common)
        #expect(try date(.withLeapDay(number), in: 2024) == leap)
    }

    @Test("the first to fourth weekday of a month, and the last")
    func weekday() throws {
        // March 2026 begins on a Sunday and has five Sundays; February 2026 has four.
        for (week, day) in zip(1...5, ["01", "08", "15", "22", "29"]) {
            let sunday = YearlyRule.Day.weekday(month: 3, week: week, weekday: 0)
            #expect(try date(sunday, in: 2026) == "2026-03-\(day)")
        }
        for (week, day) in zip(1...5, ["01", "08", "15", "22", "22"]) {
            let sunday = YearlyRule.Day.weekday(month: 2, week: week, weekday: 0)
            #expect(try date(sunday, in: 2026) == "2026-02-\(day)")
        }
        for (weekday, day) in zip(0...6, ["01", "02", "03", "04", "05", "06", "07"]) {
            let first = YearlyRule.Day.weekday(month: 3, week: 1, weekday: weekday)
            #expect(try date(first, in: 2026) == "2026-03-\(day)")
        }
        #expect(try date(.weekday(month: 1, week: 1, weekday: 4), in: 1960) == "1960-01-07")
        // A fifth Tuesday that is the last day of its month.
        #expect(try date(.weekday(month: 3, week: 5, weekday: 2), in: 2026) == "2026-03-31")
    }

    @Test("only the days that POSIX allows are valid")
    func boundedDays() {
        let valid: [YearlyRule.Day] = [
            .withoutLeapDay(1), .withoutLeapDay(365), .withLeapDay(0), .withLeapDay(365),
            .weekday(month: 1, week: 1, weekday: 0), .weekday(month: 12, week: 5, weekday: 6),
        ]
        let invalid: [YearlyRule.Day] = [
            .withoutLeapDay(0), .withoutLeapDay(366), .withLeapDay(-1), .withLeapDay(366),
            .weekday(month: 0, week: 1, weekday: 0), .weekday(month: 13, week: 1, weekday: 0),
            .weekday(month: 1, week: 0, weekday: 0), .weekday(month: 1, week: 6, weekday: 0),
            .weekday(month: 1, week: 1, weekday: -1), .weekday(month: 1, week: 1, weekday: 7),
        ]
        #expect(valid.allSatisfy { YearlyRule($0, secondsAfterMidnight: 0) != nil })
        #expect(invalid.allSatisfy { YearlyRule($0, secondsAfterMidnight: 0) == nil })
    }

    @Test("the time of a rule is at most a week from midnight", arguments: [1, -1])
    func boundedTime(sign: Int) throws {
        let day = YearlyRule.Day.withLeapDay(100)
        #expect(YearlyRule(day, secondsAfterMidnight: sign * 604_801) == nil)
        let rule = try #require(YearlyRule(day, secondsAfterMidnight: sign * 604_800))
        let midnight = try #require(YearlyRule(day, secondsAfterMidnight: 0))
        let moved = try #require(rule.localTime(in: 2026)).date
        #expect(moved == midnight.localTime(in: 2026)?.date.advanced(byDays: sign * 7))
    }

    @Test("a rule has no time outside years 1 to 9999")
    func years() throws {
        let rule = try #require(YearlyRule(.withLeapDay(0), secondsAfterMidnight: 0))
        for year in [Int.min, 0, 10_000, .max] { #expect(rule.localTime(in: year) == nil) }
        for year in [1, 9_999] { #expect(rule.localTime(in: year)?.date.parts.year == year) }
    }
}
