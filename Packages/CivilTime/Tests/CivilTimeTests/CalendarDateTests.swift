import CivilTime
import Testing

@Suite("Calendar dates")
struct CalendarDateTests {
    private static let monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

    private func isLeap(_ year: Int) -> Bool {
        year.isMultiple(of: 400) || year.isMultiple(of: 4) && !year.isMultiple(of: 100)
    }

    @Test("every day from year 1 to 800 has the date, count, and weekday of a day-by-day count")
    func everyDay() {
        // 0001-01-01 was a Monday.
        var days = -719_162
        var mismatches: [String] = []
        for year in 1...800 {
            for (index, length) in Self.monthLengths.enumerated() {
                for day in 1...(length + (index == 1 && isLeap(year) ? 1 : 0)) {
                    let date = CalendarDate(daysSince1970: days)
                    let isSame =
                        date.parts == (year, index + 1, day)
                        && date == CalendarDate(year: year, month: index + 1, day: day)
                        && date.weekday == Weekday.allCases[(days + 719_162) % 7]
                    if !isSame { mismatches.append("\(year)-\(index + 1)-\(day): \(date)") }
                    days += 1
                }
            }
        }
        #expect(mismatches.isEmpty)
    }

    @Test("every year from 1 to 9999 begins where the year before ends")
    func everyYear() {
        var days = -719_162
        var mismatches: [Int] = []
        for year in 1...9_999 {
            let first = CalendarDate(year: year, month: 1, day: 1)
            days += isLeap(year) ? 366 : 365
            let last = CalendarDate(year: year, month: 12, day: 31)
            let leapDay = CalendarDate(year: year, month: 2, day: 29)
            if first?.daysSince1970 != days - (isLeap(year) ? 366 : 365)
                || last?.daysSince1970 != days - 1 || last?.parts.year != year
                || (leapDay != nil) != isLeap(year)
            {
                mismatches.append(year)
            }
        }
        #expect(mismatches.isEmpty && days == 2_932_897)
    }

    @Test(
        "a date that does not exist is nil",
        arguments: [
            (1900, 2, 29), (2023, 2, 29), (2024, 2, 30), (2024, 4, 31), (2024, 1, 32),
            (2024, 13, 1), (2024, 0, 1), (2024, 1, 0), (2024, 1, -1), (0, 1, 1), (10_000, 1, 1),
            (Int.max, 1, 1), (Int.min, 1, 1), (2024, Int.max, 1), (2024, 1, Int.max),
        ]
    )
    func noSuchDate(year: Int, month: Int, day: Int) {
        #expect(CalendarDate(year: year, month: month, day: day) == nil)
    }

    @Test("each month has its length")
    func monthLengths() {
        for (index, length) in Self.monthLengths.enumerated() {
            #expect(CalendarDate(year: 2023, month: index + 1, day: length) != nil)
            #expect(CalendarDate(year: 2023, month: index + 1, day: length + 1) == nil)
        }
    }

    @Test(
        "a date is written in ISO 8601",
        arguments: [
            ((2026, 3, 29), "2026-03-29"), ((1, 1, 1), "0001-01-01"), ((987, 10, 9), "0987-10-09"),
            ((2024, 9, 10), "2024-09-10"), ((9_999, 12, 31), "9999-12-31"),
        ]
    )
    func written(parts: (Int, Int, Int), text: String) throws {
        let date = try #require(CalendarDate(year: parts.0, month: parts.1, day: parts.2))
        #expect(date.description == text)
    }

    @Test("an earlier date sorts first, and dates advance by days")
    func order() throws {
        let leapDay = try #require(CalendarDate(year: 2024, month: 2, day: 29))
        let next = leapDay.advanced(byDays: 1)
        #expect(next.parts == (2024, 3, 1) && leapDay < next && !(next < leapDay))
        #expect(next.advanced(byDays: -1) == leapDay)
    }
}
