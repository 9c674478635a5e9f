import Domain
import Testing

@Suite("A day as the start or the end of a range")
struct RangeBoundTests {
    private func berlin() throws -> SalonClock {
        let berlin = try SampleZones.berlin()
        return .zone(berlin.id, berlin.rules)
    }

    private func date(_ year: Int, _ month: Int, _ day: Int) throws -> CalendarDate {
        try #require(CalendarDate(year: year, month: month, day: day))
    }

    private func hours(of date: CalendarDate, on clock: SalonClock) throws -> Double {
        let start = try RangeBound.day(date).instant(on: clock)
        let end = try RangeBound.day(date.advanced(byDays: 1)).instant(on: clock)
        return Double(end.secondsSince1970 - start.secondsSince1970) / 3_600
    }

    @Test(
        "lasts 23 hours when the clocks go forward, 25 when they go back, and otherwise 24",
        arguments: [
            (2026, 3, 28, 24), (2026, 3, 29, 23), (2026, 3, 30, 24), (2026, 10, 24, 24),
            (2026, 10, 25, 25), (2026, 10, 26, 24), (2028, 2, 29, 24), (2026, 12, 31, 24),
        ]
    )
    func length(year: Int, month: Int, day: Int, expected: Double) throws {
        let date = try date(year, month, day)
        #expect(try hours(of: date, on: berlin()) == expected)
        #expect(try hours(of: date, on: .offset(minutes: 330)) == 24)
    }

    @Test("begins at midnight on the salon's clock, with the offset of that day")
    func midnight() throws {
        for (month, day, offset) in [(3, 29, 60), (3, 30, 120), (10, 25, 120), (10, 26, 60)] {
            let date = try date(2026, month, day)
            let time = try berlin().time(at: RangeBound.day(date).instant(on: berlin()))
            #expect(time.localTime == LocalTime(date, TimeOfDay(minuteOfDay: 0)))
            #expect(time.offsetMinutes == offset)
        }
    }

    @Test("begins at the first time after midnight if the clocks skip midnight")
    func skippedMidnight() throws {
        let samoa = try SampleZones.samoa()
        let clock = SalonClock.zone(samoa.id, samoa.rules)
        let skipped = try RangeBound.day(date(2011, 12, 30)).instant(on: clock)
        #expect(skipped == Timestamp(secondsSince1970: 1_325_239_200))
        #expect(try RangeBound.day(date(2011, 12, 31)).instant(on: clock) == skipped)
    }

    @Test("can be the first or the last date of the calendar")
    func extremes() throws {
        let utc = SalonClock.offset(minutes: 0)
        let first = try RangeBound.day(date(1, 1, 1)).instant(on: utc)
        #expect(first == Timestamp(secondsSince1970: -62_135_596_800))
        let last = try RangeBound.day(date(9_999, 12, 31)).instant(on: utc)
        #expect(last == Timestamp(secondsSince1970: 253_402_214_400))
    }

    @Test("a time with an offset is the same instant on every clock")
    func wallClock() throws {
        let instant = Timestamp(secondsSince1970: 1_774_740_600)
        let time = RequestedTime.wallClock(AppointmentTime(instant: instant, offsetMinutes: -90))
        #expect(try RangeBound.time(time).instant(on: berlin()) == instant)
        #expect(try RangeBound.time(time).instant(on: .offset(minutes: 0)) == instant)
    }

    @Test("a local time that the clocks skip is rejected, unlike a day")
    func gap() throws {
        let gap = RangeBound.time(.local(try .at(2026, 3, 29, 2, 30)))
        #expect(throws: Failure.self) { try gap.instant(on: berlin()) }
    }
}
