import Domain
import DomainTestSupport
import Testing

@Suite("The rule that blocks a time")
struct BlockingRuleTests {
    @Test("has a reason that a customer understands")
    func reasons() throws {
        let date = try #require(CalendarDate(year: 2026, month: 12, day: 24))
        let hours = [StaffedSalon.hours(9, 12), StaffedSalon.hours(14, 2)]
        let rules: [(BlockingRule, String, String)] = [
            (.past, "past", "the time is in the past"),
            (.closedDay(date), "closedDay", "Salon 1 is closed on 2026-12-24"),
            (
                .outsideHours(hours), "outsideHours",
                "Salon 1 is open 09:00-12:00, 14:00-02:00, and the requested time is 13:00 on the "
                    + "salon's clock"
            ),
            (
                .endsAfterHours(minutes: 60), "endsAfterHours",
                "the service takes 60 minutes, and Salon 1 closes before it would end"
            ),
            (
                .offGrid(slotMinutes: 30), "offGrid",
                "appointments at Salon 1 start every 30 minutes from opening and end by closing "
                    + "time"
            ),
            (.notWorking("Ana"), "notWorking", "Ana does not work at that time"),
            (
                .notWorking(nil), "notWorking",
                "no qualified staff member of Salon 1 works at that time"
            ),
            (
                .tooSoon(leadMinutes: 90), "tooSoon",
                "Salon 1 must be booked at least 90 minutes in advance"
            ),
            (
                .tooFarAhead(furthestDays: 3, last: CalendarDate(daysSince1970: 3)), "tooFarAhead",
                "Salon 1 can be booked at most 3 days in advance, until 1970-01-04"
            ),
            (
                .tooFarAhead(furthestDays: 1, last: CalendarDate(daysSince1970: 0)), "tooFarAhead",
                "Salon 1 can be booked at most 1 day in advance, until 1970-01-01"
            ),
            (.taken, "taken", "the slot is already booked"),
        ]
        let time = AppointmentTime(instant: StaffedSalon.at(12), offsetMinutes: 60)
        for (rule, name, reason) in rules {
            #expect(rule.name == name)
            #expect(rule.reason(for: time, in: Samples.salon()) == reason)
        }
        #expect(Set(rules.map(\.1)) == Set(BlockingRule.names))
    }

    @Test("is the hours first, then the grid, the length, the window, and at last what is taken")
    func order() throws {
        var salon = StaffedSalon.salon(StaffedSalon.ana)
        salon.weekly = StaffedSalon.everyDay(StaffedSalon.hours(9, 12), StaffedSalon.hours(14, 18))
        salon.furthestDays = 0
        let color = try salon.schedule.requirement(for: BookingOptions(serviceID: "color"))
        func rule(_ hour: Int64, _ minute: Int64, now: Timestamp = StaffedSalon.at(0))
            -> BlockingRule?
        {
            salon.schedule.rule(
                blocking: StaffedSalon.at(hour, minute),
                for: color,
                busy: [StaffedSalon.busy(StaffedSalon.at(11), staff: "ana")],
                now: now
            )
        }
        let hours = [StaffedSalon.hours(9, 12), StaffedSalon.hours(14, 18)]
        #expect(rule(13, 0) == .outsideHours(hours))
        #expect(rule(11, 35) == .offGrid(slotMinutes: 30))
        #expect(rule(11, 30) == .endsAfterHours(minutes: 60))
        #expect(rule(11, 30, now: StaffedSalon.now) == .endsAfterHours(minutes: 60))
        let last = LocalTime(StaffedSalon.now, offsetSeconds: 0).date
        #expect(rule(11, 0, now: StaffedSalon.now) == .tooFarAhead(furthestDays: 0, last: last))
        #expect(rule(11, 0) == .taken)
        #expect(rule(14, 0) == nil)
        #expect(rule(17, 0) == nil)
    }

    @Test("allows any start within the hours if the salon states no slot length")
    func withoutGrid() throws {
        var salon = StaffedSalon.salon()
        salon.slotMinutes = nil
        let usual = try salon.schedule.requirement(for: BookingOptions())
        let color = try salon.schedule.requirement(for: BookingOptions(serviceID: "color"))
        func rule(_ requirement: Requirement, _ seconds: Int64) -> BlockingRule? {
            let start = StaffedSalon.at(18).advanced(bySeconds: seconds)
            return salon.schedule.rule(
                blocking: start,
                for: requirement,
                now: StaffedSalon.now
            )
        }
        // The end of an appointment without a service is not known.
        #expect(rule(usual, -1) == nil)
        #expect(rule(usual, 0) == .outsideHours([salon.hours]))
        #expect(rule(color, -3_600) == nil)
        #expect(rule(color, -3_599) == .endsAfterHours(minutes: 60))
        // Only starts every 30 minutes are suggested, and only if 30 minutes remain.
        let slots = salon.schedule.slots(
            from: StaffedSalon.at(16, 45),
            to: StaffedSalon.at(19),
            now: StaffedSalon.now
        )
        #expect(slots.map(\.start.timeOfDay.description) == ["17:00", "17:30"])
    }
}
