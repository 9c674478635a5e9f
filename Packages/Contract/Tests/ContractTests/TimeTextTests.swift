import Contract
import Domain
import Testing

@Suite("A time as people and models write it")
struct TimeTextTests {
    private func parse(_ text: String) -> TimeText {
        var text = text
        return text.withUTF8 { TimeText($0) }
    }

    private func problem(_ text: String) -> String? {
        guard case .invalid(let expected) = parse(text) else { return nil }
        return expected
    }

    @Test(
        "may have a space instead of T, one digit for the hour, or am and pm",
        arguments: [
            ("2026-11-24 09:30", "2026-11-24T09:30"), ("2026-11-24T9:30", "2026-11-24T09:30"),
            ("2026-11-24 9:30:05", "2026-11-24T09:30:05"), ("2026-11-24 9am", "2026-11-24T09:00"),
            ("2026-11-24 at 9:30 PM", "2026-11-24T21:30"), ("2026-11-24, 12am", "2026-11-24T00:00"),
            ("2026-11-24 12:05pm", "2026-11-24T12:05"), (" 2026-11-24 23:59 ", "2026-11-24T23:59"),
            ("2026-11-24 9:30+01:00", "2026-11-24T09:30+01:00"),
            ("2026-11-24 9am Z", "2026-11-24T09:00Z"),
        ]
    )
    func loose(text: String, exact: String) {
        #expect(parse(text) == parse(exact))
        guard case .time = parse(text) else {
            Issue.record("\(parse(text))")
            return
        }
    }

    @Test("may be on a day that depends on the present one")
    func relative() throws {
        let nine = TimeOfDay(minuteOfDay: 540)
        #expect(parse("tomorrow 9am") == .time(.relative(RelativeTime(.tomorrow, nine))))
        #expect(parse("Today at 9:00") == .time(.relative(RelativeTime(.today, nine))))
        let friday = RelativeTime(.weekday(.friday), nine, second: 7)
        #expect(parse("fri 09:00:07") == .time(.relative(friday)))
        #expect(parse("TOMORROW") == .relativeDay(.tomorrow))
        let date = try #require(CalendarDate(year: 2026, month: 11, day: 24))
        for text in ["2026-11-24", "2026-11-24 "] { #expect(parse(text) == .day(date)) }
    }

    @Test(
        "that does not exist is rejected with what is wrong",
        arguments: [
            ("2027-02-30T11:30", "2027-02 has 28 days"), ("2028-02-30", "2028-02 has 29 days"),
            ("2026-04-31 9:00", "2026-04 has 30 days"), ("2026-13-01T09:30", "month from 01 to 12"),
            ("2026-00-01T09:30", "month from 01 to 12"), ("2026-11-24T24:00", "hour from 00 to 23"),
            ("2026-11-24T23:60", "minutes from 00 to 59"),
            ("2026-11-24T25:00", "hour from 00 to 23"),
            ("2026-11-24T23:00:61", "seconds from 00 to 59"),
            ("tomorrow 13pm", "from 1 to 12 with pm"),
            ("2026-11-24T24:00", "24:00 is 00:00 of the next day"),
            ("2026-11-24T09:00+25:00", "hours from 00 to 23"),
            ("tomorrow 0am", "from 1 to 12 with am"),
            ("next friday 9:00", "could mean either of two days"),
            ("tomorrow 9:00+01:00", "a date instead of"), ("2026-11-24 9:00 CET", "an offset"),
            ("noon", "after a day"), ("9am", "after a day"), ("10:30", "after a day"),
            ("tomorrow 9", "such as 09:30"), ("tomorrow 9:5", "such as 09:30"),
            ("tomorrow 009:00", "such as 09:30"), ("tomorrow :00", "such as 09:30"),
            ("tomorrow 9:00:00:00", "such as 09:30"), ("2026-11-24T", "such as 09:30"),
            ("11/24/2026 9:00", "the order year, month, day"),
            ("24.11.2026 9:00", "the order year, month, day"),
            ("24-11-2026T09:00", "the order year, month, day"),
            ("2026-1-24 9:00", "two digits for month and day: 2026-01-24"),
            ("2026/11/24 9:00", "with hyphens and two digits for month and day: 2026-11-24"),
            ("31 November 9:00", "the month as a number"),
            ("Nov 30, 2026", "the month as a number"),
            ("yesterday 9:00", "instead of \"yesterday\""),
        ]
    )
    func impossible(text: String, reason: String) {
        #expect(problem(text)?.contains(reason) == true, "\(problem(text) ?? "none")")
    }

    @Test(
        "in any other form is rejected",
        arguments: [
            "", " ", "at", "mo 9:00", "soon", "123", "20261124T0930", "\u{0}",
        ]
    )
    func otherForms(text: String) {
        #expect(parse(text) == .unknownForm)
    }
}
