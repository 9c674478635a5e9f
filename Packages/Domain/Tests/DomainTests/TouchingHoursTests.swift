import Domain
import DomainTestSupport
import Testing

/// Hours that end when the next ones start: a lunch break that was removed, or a salon that is open
/// around the clock.
@Suite("Hours that touch are one for what must fit, and each starts its own grid")
struct TouchingHoursTests {
    private let now = Timestamp(secondsSince1970: 1_774_000_000)  // 2026-03-20T09:46:40Z

    private func hours(_ opens: (Int, Int), _ closes: (Int, Int)) throws -> OpeningHours {
        OpeningHours(
            opens: try #require(TimeOfDay(hour: opens.0, minute: opens.1)),
            closes: try #require(TimeOfDay(hour: closes.0, minute: closes.1))
        )
    }

    /// A salon in Berlin that offers a service of two hours, with an appointment each hour.
    private func schedule(
        _ hours: [OpeningHours],
        _ set: (inout Salon) throws -> Void = { _ in }
    ) throws -> Schedule {
        var salon = Samples.salon()
        salon.slotMinutes = 60
        salon.weekly = WeeklyHours(
            Dictionary(uniqueKeysWithValues: Weekday.allCases.map { ($0, hours) })
        )
        salon.services = [Service(id: "color", name: "Color", minutes: 120)]
        let berlin = try SampleZones.berlin()
        salon.timeZone = berlin.id
        try set(&salon)
        return Schedule(of: salon, on: .zone(berlin.id, berlin.rules))
    }

    private let color = BookingOptions(serviceID: "color")

    private func rule(
        _ schedule: Schedule,
        _ local: LocalTime,
        _ options: BookingOptions? = nil
    ) throws -> BlockingRule? {
        schedule.rule(
            blocking: schedule.clock.reading(of: local).first,
            for: try schedule.requirement(for: options ?? color),
            now: now
        )
    }

    /// The local times at which the service is offered on a day.
    private func starts(
        _ schedule: Schedule,
        _ month: Int,
        _ day: Int,
        _ options: BookingOptions? = nil
    ) throws -> [String] {
        let date = try #require(CalendarDate(year: 2026, month: month, day: day))
        let midnights = [date, date.advanced(byDays: 1)].map {
            schedule.clock.reading(of: LocalTime($0, TimeOfDay(minuteOfDay: 0))).first
        }
        let slots = schedule.slots(
            for: try schedule.requirement(for: options ?? color),
            from: midnights[0],
            to: midnights[1],
            now: now
        )
        for slot in slots {
            let rule = schedule.rule(
                blocking: slot.start.instant,
                for: try schedule.requirement(for: options ?? color),
                now: now
            )
            #expect(slot.isAvailable == (rule == nil), "\(slot.start)")
        }
        return slots.map(\.start.timeOfDay.description)
    }

    @Test("A service may take the end of the morning and the beginning of the afternoon")
    func withoutBreak() throws {
        let open = try schedule([hours((9, 0), (13, 0)), hours((13, 0), (18, 0))])
        #expect(try rule(open, .at(2026, 3, 24, 12)) == nil)
        #expect(try rule(open, .at(2026, 3, 24, 16)) == nil)
        #expect(try rule(open, .at(2026, 3, 24, 17)) == .endsAfterHours(minutes: 120))
        let expected = (9...16).map { $0 < 10 ? "09:00" : "\($0):00" }
        #expect(try starts(open, 3, 24) == expected)
        // A minute of break is one, and the salon does close before the service would end.
        let closed = try schedule([hours((9, 0), (13, 0)), hours((13, 1), (18, 0))])
        #expect(try rule(closed, .at(2026, 3, 24, 12)) == .endsAfterHours(minutes: 120))
        #expect(try rule(closed, .at(2026, 3, 24, 13, 1)) == nil)
    }

    @Test("A service may take three intervals, and the grid restarts in each")
    func grids() throws {
        let open = try schedule([
            hours((9, 0), (10, 30)), hours((10, 30), (11, 15)), hours((11, 15), (13, 0)),
        ])
        #expect(try starts(open, 3, 24) == ["09:00", "10:00", "10:30"])
        #expect(try rule(open, .at(2026, 3, 24, 11)) == .offGrid(slotMinutes: 60))
        // Without a service, an appointment takes an hour.
        let plain = ["09:00", "10:00", "10:30", "11:15"]
        #expect(try starts(open, 3, 24, BookingOptions()) == plain)
        #expect(
            try rule(open, .at(2026, 3, 24, 12, 15), BookingOptions()) == .offGrid(slotMinutes: 60)
        )
    }

    @Test(
        "Around the clock, a service may take midnight, or the time at which the day begins",
        arguments: [(0, 0), (9, 30)]
    )
    func aroundTheClock(opens: Int, minute: Int) throws {
        let open = try schedule([hours((opens, minute), (opens, minute))])
        for hour in 0..<24 {
            #expect(try rule(open, .at(2026, 3, 24, hour, minute)) == nil, "\(hour)")
        }
        #expect(try starts(open, 3, 24).count == 24)
    }

    @Test("A service ends at midnight if the next day is closed, or opens a minute later")
    func closedNextDay() throws {
        let date = try #require(CalendarDate(year: 2026, month: 3, day: 25))
        for next in [[], [try hours((0, 1), (9, 0))]] {
            let open = try schedule([hours((0, 0), (0, 0))]) {
                $0.exceptions = [OpeningException(date: date, hours: next)]
            }
            #expect(try rule(open, .at(2026, 3, 24, 22)) == nil)
            #expect(try rule(open, .at(2026, 3, 24, 23)) == .endsAfterHours(minutes: 120))
            #expect(try starts(open, 3, 24).last == "22:00")
        }
    }

    @Test("Night hours that the next morning cuts off continue in it")
    func nights() throws {
        let night = try hours((20, 0), (4, 0))
        let morning = try hours((2, 0), (6, 0))
        let open = try schedule([morning, night])
        #expect(try rule(open, .at(2026, 3, 24, 1)) == nil)
        #expect(try rule(open, .at(2026, 3, 24, 4)) == nil)
        #expect(try rule(open, .at(2026, 3, 24, 5)) == .endsAfterHours(minutes: 120))
    }

    @Test("A clock change neither opens nor closes a break")
    func clockChanges() throws {
        // At 02:00 the clock goes forward to 03:00, and these hours touch only on this day.
        let gap = try schedule([hours((0, 0), (2, 15)), hours((2, 45), (6, 0))])
        #expect(try starts(gap, 3, 29) == ["00:00", "01:00", "03:00", "04:00"])
        #expect(try starts(gap, 3, 30) == ["00:00", "02:45", "03:45"])
        let always = try schedule([hours((0, 0), (0, 0))])
        #expect(try starts(always, 3, 29).count == 23)
        #expect(try starts(always, 10, 25).count == 25)
    }

    @Test("A length of a day fits around the clock, at any time and across a clock change")
    func wholeDay() throws {
        let open = try schedule([hours((0, 0), (0, 0))]) {
            $0.services = [Service(id: "color", name: "Retreat", minutes: 1_440)]
        }
        for (month, day) in [(3, 24), (3, 28), (3, 29), (10, 24), (10, 25)] {
            for hour in [0, 1, 12, 23] {
                #expect(try rule(open, .at(2026, month, day, hour)) == nil, "\(day) \(hour)")
            }
        }
    }

    @Test("Staff members serve what takes two intervals if they work in both without a break")
    func staff() throws {
        let open = try schedule([hours((9, 0), (13, 0)), hours((13, 0), (18, 0))]) { salon in
            let early = WeeklyHours([.tuesday: [try hours((9, 0), (13, 0))]])
            salon.staff = [
                StaffMember(id: "ana", name: "Ana"),
                StaffMember(id: "ben", name: "Ben", weekly: early),
            ]
        }
        let noon = try LocalTime.at(2026, 3, 24, 12)
        let ana = BookingOptions(serviceID: "color", staffID: "ana")
        #expect(try rule(open, noon, ana) == nil)
        let ben = BookingOptions(serviceID: "color", staffID: "ben")
        #expect(try rule(open, noon, ben) == .notWorking("Ben"))
    }
}
