import Domain
import DomainTestSupport
import Testing

@Suite("A day that depends on the present one")
struct RelativeTimeTests {
    /// Saturday, 2026-03-28, 23:30 in Berlin, before the day when clocks go forward.
    private let now = Timestamp(secondsSince1970: 1_774_737_000)

    private func berlin() throws -> SalonClock {
        let berlin = try SampleZones.berlin()
        return .zone(berlin.id, berlin.rules)
    }

    private func date(_ year: Int, _ month: Int, _ day: Int) throws -> CalendarDate {
        try #require(CalendarDate(year: year, month: month, day: day))
    }

    @Test(
        "is counted on the salon's clock, and a weekday can be today unless the time has passed",
        arguments: [
            (.today, 23, 31, 28), (.today, 0, 0, 28), (.tomorrow, 9, 0, 29),
            (.weekday(.saturday), 23, 31, 28), (.weekday(.sunday), 23, 30, 29),
            (.weekday(.friday), 23, 59, 34),
        ] as [(RelativeDay, Int, Int, Int)]
    )
    func times(day: RelativeDay, hour: Int, minute: Int, dayOfMarch: Int) throws {
        let time = RelativeTime(day, TimeOfDay(minuteOfDay: hour * 60 + minute))
        let found = try berlin().time(of: .relative(time), now: now).localTime
        #expect(try found.date == date(2026, 3, 28).advanced(byDays: dayOfMarch - 28))
        #expect(found.timeOfDay == time.timeOfDay)
    }

    @Test(
        "A weekday whose time of day is now or has passed is in a week",
        arguments: [1_409, 1_410]
    )
    func passed(minuteOfDay: Int) throws {
        let time = RelativeTime(.weekday(.saturday), TimeOfDay(minuteOfDay: minuteOfDay))
        let found = try berlin().time(of: .relative(time), now: now).localTime
        #expect(try found.date == date(2026, 4, 4))
    }

    @Test("A time that the clock skips tomorrow is an error with candidates")
    func skipped() throws {
        let time = RelativeTime(.tomorrow, TimeOfDay(minuteOfDay: 150))
        let clock = try berlin()
        let error = #expect(throws: Failure.self) {
            try clock.time(of: .relative(time), now: now)
        }
        #expect(error?.invalidTime?.candidates.count == 2)
    }

    @Test("Without a time zone, a wall-clock time is an error, with an example in UTC")
    func withoutZone() throws {
        let time = RelativeTime(.tomorrow, TimeOfDay(minuteOfDay: 600), second: 5)
        let error = #expect(throws: Failure.self) {
            try SalonClock.offset(minutes: 60).time(of: .relative(time), now: now)
        }
        let example = try #require(error?.invalidTime?.candidates.first)
        #expect(example.offsetMinutes == 0 && example.localTime.secondOfDay == 36_005)
        #expect(try example.localTime.date == date(2026, 3, 29))
    }

    @Test("As the bound of a range, a day is its beginning on the clock")
    func bound() throws {
        let clock = try berlin()
        let end = try RangeBound.relativeDay(.tomorrow, daysLater: 1).instant(
            on: clock,
            in: "end",
            now: now
        )
        #expect(clock.time(at: end).localTime.date == (try date(2026, 3, 30)))
        #expect(clock.time(at: end).localTime.secondOfDay == 0)
        let start = try RangeBound.relativeDay(.today, daysLater: 0).instant(
            on: clock,
            in: "end",
            now: now
        )
        // March 28 has 24 hours, and March 29 has 23.
        #expect(end.seconds(since: start) == 47 * 3_600)
    }
}

/// The present time does not matter for times that are not relative.
extension SalonClock {
    func time(of requested: RequestedTime) throws(Failure) -> AppointmentTime {
        try time(of: requested, now: Timestamp(secondsSince1970: 0))
    }
}

extension RangeBound {
    func instant(on clock: SalonClock) throws(Failure) -> Timestamp {
        try instant(on: clock, in: "start", now: Timestamp(secondsSince1970: 0))
    }
}

extension Failure {
    /// What is wrong with the time; nil for any other failure.
    var invalidTime: InvalidTime? {
        if case .invalidTime(let invalid, _) = self { invalid } else { nil }
    }
}
