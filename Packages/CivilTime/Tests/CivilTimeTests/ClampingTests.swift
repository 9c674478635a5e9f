import CivilTime
import Testing

@Suite("Values at the ends of their range are clamped")
struct ClampingTests {
    private let first = CalendarDate(year: 1, month: 1, day: 1)
    private let last = CalendarDate(year: 9_999, month: 12, day: 31)

    @Test("dates stay within years 1 to 9999")
    func dates() throws {
        let (first, last) = (try #require(first), try #require(last))
        #expect(CalendarDate(daysSince1970: .min) == first)
        #expect(CalendarDate(daysSince1970: .max) == last)
        #expect(last.advanced(byDays: .max) == last && first.advanced(byDays: .min) == first)
        #expect(first.advanced(byDays: 3_652_058) == last)
        #expect(last.advanced(byDays: -3_652_058) == first)
        #expect(last.advanced(byDays: -3_652_057).parts == (1, 1, 2))
    }

    @Test("local times stay within years 1 to 9999")
    func localTimes() throws {
        let earliest = LocalTime(localSeconds: .min)
        let latest = LocalTime(localSeconds: .max)
        #expect(earliest.date == first && earliest.secondOfDay == 0)
        #expect(latest.date == last && latest.secondOfDay == 86_399)
        let firstDate = try #require(first)
        #expect(LocalTime(firstDate, TimeOfDay(minuteOfDay: 0)) == earliest)
        let lastMinute = LocalTime(try #require(last), TimeOfDay(minuteOfDay: 1_439), second: 59)
        #expect(lastMinute == latest)
    }

    @Test("the second of a local time stays within its minute", arguments: [(-1, 0), (60, 59)])
    func second(given: Int, expected: Int) throws {
        let local = LocalTime(try #require(first), TimeOfDay(minuteOfDay: 61), second: given)
        #expect(local.secondOfDay == 3_660 + expected)
    }

    @Test("an instant moved past the end of its range stops there")
    func instants() {
        let earliest = Timestamp(secondsSince1970: .min)
        let latest = Timestamp(secondsSince1970: .max)
        #expect(latest.advanced(bySeconds: 1) == latest)
        #expect(earliest.advanced(bySeconds: -1) == earliest)
        #expect(latest.advanced(bySeconds: .min) == Timestamp(secondsSince1970: -1))
        #expect(latest.advanced(bySeconds: -1).secondsSince1970 == .max - 1)
    }

    @Test("the time between two instants stops at the ends of its range")
    func differences() {
        let earliest = Timestamp(secondsSince1970: .min)
        let latest = Timestamp(secondsSince1970: .max)
        let zero = Timestamp(secondsSince1970: 0)
        #expect(latest.seconds(since: earliest) == .max)
        #expect(earliest.seconds(since: latest) == .min)
        #expect(zero.seconds(since: earliest) == .max && earliest.seconds(since: zero) == .min)
        #expect(latest.seconds(since: zero) == .max)
        #expect(zero.seconds(since: latest) == -.max)
        #expect(Timestamp(secondsSince1970: 7).seconds(since: zero) == 7)
    }
}
