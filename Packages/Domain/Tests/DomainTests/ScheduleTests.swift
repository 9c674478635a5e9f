import Domain
import DomainTestSupport
import Testing

@Suite("The schedule of a salon")
struct ScheduleTests {
    private let now = Timestamp(secondsSince1970: 1_774_000_000)  // 2026-03-20T09:46:40Z

    private func salon(_ opens: Int, _ closes: Int, _ set: (inout Salon) -> Void = { _ in })
        -> Salon
    {
        var salon = Samples.salon()
        salon.hours = OpeningHours(
            opens: TimeOfDay(minuteOfDay: opens * 60),
            closes: TimeOfDay(minuteOfDay: closes * 60)
        )
        set(&salon)
        return salon
    }

    private func schedule(of salon: Salon) throws -> Schedule {
        let berlin = try SampleZones.berlin()
        return Schedule(of: salon, on: .zone(berlin.id, berlin.rules))
    }

    private func instant(_ local: LocalTime, in schedule: Schedule) throws -> Timestamp {
        try schedule.clock.time(of: .local(local)).instant
    }

    private func starts(_ schedule: Schedule, _ day: Int, hours: Int64 = 24) throws -> [String] {
        let from = try instant(try .at(2026, 3, day), in: schedule)
        let to = from.advanced(bySeconds: hours * 3_600)
        return schedule.slots(from: from, to: to, now: now).map(\.start.timeOfDay.description)
    }

    private func rule(_ schedule: Schedule, _ local: LocalTime) throws -> BlockingRule? {
        schedule.rule(blocking: try instant(local, in: schedule), now: now)
    }

    @Test("slots start at opening without gaps, and the last one ends by closing time")
    func day() throws {
        let schedule = try schedule(of: salon(9, 12) { $0.slotMinutes = 50 })
        #expect(try starts(schedule, 24) == ["09:00", "09:50", "10:40"])
        #expect(try rule(schedule, .at(2026, 3, 24, 9, 50)) == nil)
        #expect(try rule(schedule, .at(2026, 3, 24, 11, 30)) == .offGrid(slotMinutes: 50))
        #expect(try rule(schedule, .at(2026, 3, 24, 9, 51)) == .offGrid(slotMinutes: 50))
    }

    @Test("the current time is in the past, even if a different rule blocks it, too")
    func past() throws {
        let schedule = try schedule(of: salon(9, 10))
        let closing = try instant(.at(2026, 6, 1, 10), in: schedule)
        #expect(schedule.rule(blocking: closing, now: closing) == .past)
        let before = closing.advanced(bySeconds: -1)
        guard case .outsideHours = schedule.rule(blocking: closing, now: before) else {
            Issue.record("a closed salon is open")
            return
        }
        let opening = try instant(.at(2026, 6, 1, 9), in: schedule)
        let justBefore = opening.advanced(bySeconds: -1)
        #expect(schedule.rule(blocking: opening, now: justBefore) == nil)
        for (now, isAvailable) in [(opening, false), (justBefore, true)] {
            let slots = schedule.slots(from: opening, to: opening.advanced(bySeconds: 1), now: now)
            #expect(slots.map(\.isAvailable) == [isAvailable])
        }
    }

    @Test("a time one second before or after the start of a slot is off the grid")
    func seconds() throws {
        let schedule = try schedule(of: salon(9, 12))
        let start = try instant(try .at(2026, 3, 24, 11, 30), in: schedule)
        #expect(schedule.rule(blocking: start, now: now) == nil)
        for second: Int64 in [-1, 1] {
            let adjacent = start.advanced(bySeconds: second)
            #expect(schedule.rule(blocking: adjacent, now: now) == .offGrid(slotMinutes: 30))
        }
    }

    @Test("hours past midnight continue through a skipped hour and a repeated hour")
    func overChanges() throws {
        let schedule = try schedule(of: salon(23, 4))
        let spring = ["23:00", "23:30", "00:00", "00:30", "01:00", "01:30", "03:00", "03:30"]
        #expect(try starts(schedule, 28, hours: 30).suffix(8) == spring)
        let from = try instant(try .at(2026, 10, 24, 12), in: schedule)
        let night = schedule.slots(from: from, to: from.advanced(bySeconds: 86_400), now: now)
        #expect(night.count == 12)
        #expect(night.filter { $0.start.timeOfDay.description == "02:30" }.count == 2)
        #expect(zip(night, night.dropFirst()).allSatisfy { $0.end.instant == $1.start.instant })
    }

    @Test("a salon that is open around the clock has no gap at a clock change")
    func aroundTheClock() throws {
        let schedule = try schedule(of: salon(2, 2))
        for (month, count) in [(3, 46), (10, 50)] {
            let day = month == 3 ? 29 : 25
            let from = try instant(try .at(2026, month, day), in: schedule)
            let to = try instant(try .at(2026, month, day + 1), in: schedule)
            #expect(schedule.slots(from: from, to: to, now: now).count == count)
        }
    }

    @Test("a closed day has no slots of its own, but the previous night extends into it")
    func closedDay() throws {
        let date = try #require(CalendarDate(year: 2026, month: 3, day: 25))
        let schedule = try schedule(
            of: salon(22, 2) { $0.exceptions = [OpeningException(date: date, hours: [])] }
        )
        #expect(try starts(schedule, 25) == ["00:00", "00:30", "01:00", "01:30"])
        #expect(try rule(schedule, .at(2026, 3, 25, 1)) == nil)
        #expect(try rule(schedule, .at(2026, 3, 25, 22)) == .closedDay(date))
        #expect(try rule(schedule, .at(2026, 3, 26, 22)) == nil)
    }

    @Test("a day with different hours uses them, and its opening ends the previous night")
    func otherHours() throws {
        let date = try #require(CalendarDate(year: 2026, month: 3, day: 25))
        let early = OpeningHours(
            opens: TimeOfDay(minuteOfDay: 75),
            closes: TimeOfDay(minuteOfDay: 135)
        )
        let schedule = try schedule(
            of: salon(22, 2) { $0.exceptions = [OpeningException(date: date, hours: [early])] }
        )
        #expect(try starts(schedule, 25) == ["00:00", "00:30", "01:00", "01:15", "01:45"])
        #expect(try rule(schedule, .at(2026, 3, 25, 22)) == .outsideHours([early]))
    }

    @Test("lead time and the furthest day are counted from now, on the salon's calendar")
    func limits() throws {
        let schedule = try schedule(
            of: salon(0, 0) {
                $0.leadMinutes = 60
                $0.furthestDays = 2
            }
        )
        // The current time is 10:46:40 on the salon's clock.
        #expect(try rule(schedule, .at(2026, 3, 20, 10, 30)) == .past)
        #expect(try rule(schedule, .at(2026, 3, 20, 11, 30)) == .tooSoon(leadMinutes: 60))
        #expect(try rule(schedule, .at(2026, 3, 20, 12)) == nil)
        #expect(try rule(schedule, .at(2026, 3, 22, 23, 30)) == nil)
        let last = try #require(CalendarDate(year: 2026, month: 3, day: 22))
        #expect(try rule(schedule, .at(2026, 3, 23)) == .tooFarAhead(furthestDays: 2, last: last))
    }

    @Test("a salon that opens in a repeated hour opens at its first occurrence")
    func repeatedHour() throws {
        let schedule = try schedule(
            of: salon(0, 0) {
                $0.hours = OpeningHours(
                    opens: TimeOfDay(minuteOfDay: 150),
                    closes: TimeOfDay(minuteOfDay: 240)
                )
            }
        )
        let from = try instant(try .at(2026, 10, 25), in: schedule)
        let slots = schedule.slots(from: from, to: from.advanced(bySeconds: 36_000), now: now)
        let times = slots.map(\.start.timeOfDay.description)
        #expect(times == ["02:30", "02:00", "02:30", "03:00", "03:30"])
        #expect(slots.first?.start.offsetMinutes == 120)
    }

    @Test("the slots right before and right after a booking are free")
    func adjacent() throws {
        let schedule = try schedule(of: salon(9, 12))
        let from = try instant(try .at(2026, 3, 24, 9), in: schedule)
        let busy = [BusyInterval(start: from.advanced(bySeconds: 1_800), minutes: 30)]
        let slots = schedule.slots(
            from: from,
            to: from.advanced(bySeconds: 86_400),
            busy: busy,
            now: now
        )
        #expect(slots.map(\.isAvailable) == [true, false, true, true, true, true])
        let rules = slots.map { schedule.rule(blocking: $0.start.instant, busy: busy, now: now) }
        #expect(rules == [nil, .taken, nil, nil, nil, nil])
    }

    @Test("every slot that overlaps a booking is taken, regardless of the booking's length")
    func taken() throws {
        let schedule = try schedule(of: salon(9, 12))
        let from = try instant(try .at(2026, 3, 24, 9), in: schedule)
        let busy = BusyInterval(start: from.advanced(bySeconds: 2_700), minutes: 50)
        let slots = schedule.slots(
            from: from,
            to: from.advanced(bySeconds: 86_400),
            busy: [busy],
            now: now
        )
        #expect(slots.map(\.isAvailable) == [true, false, false, false, true, true])
        #expect(schedule.rule(blocking: slots[1].start.instant, busy: [busy], now: now) == .taken)
        #expect(
            schedule.alternatives(to: from, busy: [busy], now: now).first?.timeOfDay.minutes == 660
        )
    }

    @Test(
        "the time that an appointment takes is clamped to 0 to 24 hours",
        arguments: [
            (Int.min, 0), (-1, 0), (0, 0), (1_440, 86_400), (1_441, 86_400), (.max, 86_400),
        ] as [(Int, Int64)]
    )
    func busyInterval(minutes: Int, seconds: Int64) {
        var salon = Samples.salon()
        salon.slotMinutes = minutes
        let busy = BusyInterval(of: Samples.appointment(), at: salon)
        #expect(busy.end.seconds(since: busy.start) == seconds)
    }

    @Test(
        "a slot is offered exactly at the times that can be booked, every five minutes of a week",
        arguments: [(9, 17, 30), (18, 2, 45), (2, 2, 25), (23, 3, 40)]
    )
    func matchesRules(opens: Int, closes: Int, minutes: Int) throws {
        let closed = try #require(CalendarDate(year: 2026, month: 3, day: 30))
        let other = try #require(CalendarDate(year: 2026, month: 3, day: 27))
        let long = OpeningHours(
            opens: TimeOfDay(minuteOfDay: 60),
            closes: TimeOfDay(minuteOfDay: 45)
        )
        let schedule = try schedule(
            of: salon(opens, closes) {
                $0.slotMinutes = minutes
                $0.exceptions = [.init(date: closed, hours: []), .init(date: other, hours: [long])]
                $0.furthestDays = 11
            }
        )
        let from = try instant(try .at(2026, 3, 25), in: schedule)
        let to = from.advanced(bySeconds: 7 * 86_400)
        let busy = [BusyInterval(start: from.advanced(bySeconds: 40_000), minutes: 70)]
        let slots = schedule.slots(from: from, to: to, busy: busy, now: now)
        let offered = Set(slots.filter(\.isAvailable).map(\.start.instant))
        let blocked = Set(slots.filter { !$0.isAvailable }.map(\.start.instant))
        #expect(!offered.isEmpty && !blocked.isEmpty)
        for minute in stride(from: Int64(0), to: 7 * 1_440, by: 5) {
            let instant = from.advanced(bySeconds: minute * 60)
            let rule = schedule.rule(blocking: instant, busy: busy, now: now)
            #expect((rule == nil) == offered.contains(instant))
            #expect(schedule.isOpen(at: instant) || !blocked.contains(instant))
        }
        #expect(zip(slots, slots.dropFirst()).allSatisfy { $0.start.instant < $1.start.instant })
    }

    @Test("the earliest and latest times do not trap, and at most 31 days are listed")
    func extremes() throws {
        let schedule = try schedule(of: salon(0, 0) { $0.slotMinutes = 1_440 })
        for seconds in [Int64.min, .max, 0] {
            let instant = Timestamp(secondsSince1970: seconds)
            _ = schedule.rule(blocking: instant, now: now)
            let end = Timestamp(secondsSince1970: .max)
            #expect(schedule.slots(from: instant, to: end, now: now).count <= 31)
        }
    }

    @Test("if the clock is set back across midnight, no slot is missing, and all can be booked")
    func overMidnight() throws {
        // At 03:30 UTC the clock shows 00:30 and is set back to 23:30 of the previous day.
        let back = ZoneRules.Transition(
            Timestamp(secondsSince1970: 1_774_236_600),
            offsetSeconds: -14_400
        )
        let rules = ZoneRules(firstOffsetSeconds: -10_800, transitions: [back], tail: nil)
        let zone = try #require(ZoneID("Own/Zone"))
        let schedule = Schedule(of: salon(0, 0), on: .zone(zone, try #require(rules)))
        let from = back.instant.advanced(bySeconds: -5_400)
        let slots = schedule.slots(from: from, to: from.advanced(bySeconds: 10_800), now: now)
        #expect(
            slots.map(\.start.timeOfDay.description)
                == ["23:00", "23:30", "00:00", "23:30", "00:00", "00:30"]
        )
        for slot in slots {
            #expect(schedule.rule(blocking: slot.start.instant, now: now) == nil)
        }
    }

    @Test("a day that the time zone skips has no slots")
    func leftOut() throws {
        let samoa = try SampleZones.samoa()
        let schedule = Schedule(of: salon(9, 10), on: .zone(samoa.id, samoa.rules))
        let from = Timestamp(secondsSince1970: 1_325_239_200 - 86_400)
        let slots = schedule.slots(
            from: from,
            to: from.advanced(bySeconds: 2 * 86_400),
            now: Timestamp(secondsSince1970: 0)
        )
        #expect(
            slots.map(\.start.localTime.date.description) == [
                "2011-12-29", "2011-12-29", "2011-12-31", "2011-12-31",
            ]
        )
    }
}

extension BusyInterval {
    fileprivate init(start: Timestamp, minutes: Int64) {
        self.init(start: start, end: start.advanced(bySeconds: minutes * 60))
    }
}
