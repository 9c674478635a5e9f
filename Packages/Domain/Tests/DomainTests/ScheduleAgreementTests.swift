import DomainTestSupport
import Testing

@testable import Domain

/// The answers of docs/Times.md that concern the rules themselves. The client compares exact times,
/// and the backend grains.
@Suite("Client and backend agree", .timeLimit(.minutes(2)))
struct ScheduleAgreementTests {
    private let now = Timestamp(secondsSince1970: 1_774_000_000)  // 2026-03-20T09:46:40Z

    /// The schedule of one salon twice: with the client's precision, and with the backend's.
    private func schedules(_ set: (inout Salon) throws -> Void) throws -> [Schedule] {
        var salon = Samples.salon()
        salon.slotMinutes = 5
        let berlin = try SampleZones.berlin()
        salon.timeZone = berlin.id
        try set(&salon)
        return [TimePrecision.exact, .grains].map {
            Schedule(of: salon, on: .zone(berlin.id, berlin.rules), precision: $0)
        }
    }

    private func rule(
        _ schedule: Schedule,
        _ local: LocalTime,
        _ options: BookingOptions = BookingOptions(),
        busy: [BusyInterval] = []
    ) throws -> BlockingRule? {
        schedule.rule(
            blocking: schedule.clock.reading(of: local).first,
            for: try schedule.requirement(for: options),
            busy: busy,
            now: now
        )
    }

    private func busy(
        _ schedule: Schedule,
        from: LocalTime,
        to: LocalTime,
        _ staffID: String?
    ) -> BusyInterval {
        let instants = [from, to].map { schedule.clock.reading(of: $0).first }
        return BusyInterval(start: instants[0], end: instants[1], staffID: staffID)
    }

    private func staffed(_ salon: inout Salon) {
        salon.services = [
            Service(id: "cut", name: "Cut", minutes: 30, bufferBefore: 5, bufferAfter: 10),
            Service(id: "color", name: "Color", minutes: 60),
        ]
        salon.staff = ["ana", "ben"].map { StaffMember(id: $0, name: $0, services: ["cut"]) }
    }

    @Test("that the work of a day is what is taken between its midnights, buffers included")
    func work() throws {
        for schedule in try schedules(staffed) {
            let night = busy(
                schedule,
                from: try .at(2026, 3, 23, 22),
                to: try .at(2026, 3, 24, 1),
                "ana"
            )
            // Of equally much work on the day, Ben has less in the week.
            for (minutes, chosen) in [(59, "ben"), (60, "ben"), (61, "ana")] {
                let end = try LocalTime.at(2026, 3, 24, 10 + minutes / 60, minutes % 60)
                let work = busy(schedule, from: try .at(2026, 3, 24, 10), to: end, "ben")
                let found = schedule.allocation(
                    for: try schedule.requirement(for: BookingOptions(serviceID: "cut")),
                    at: schedule.clock.reading(of: try .at(2026, 3, 24, 15)).first,
                    busy: [night, work]
                )
                #expect(found == .staff(chosen), "\(minutes)")
            }
        }
    }

    @Test("that hours of which a gap leaves nothing are empty, and that the rule is outsideHours")
    func gap() throws {
        let hours = OpeningHours(
            opens: TimeOfDay(minuteOfDay: 120),
            closes: TimeOfDay(minuteOfDay: 180)
        )
        for schedule in try schedules({ $0.weekly = WeeklyHours([.sunday: [hours]]) }) {
            let day = schedule.clock.reading(of: try .at(2026, 3, 29)).first
            let end = day.advanced(bySeconds: 86_400)
            #expect(schedule.slots(from: day, to: end, now: now).isEmpty)
            for minute in [0, 30] {
                let found = try rule(schedule, .at(2026, 3, 29, 3, minute))
                #expect(found == .outsideHours([hours]))
            }
            // A week later there is no gap.
            #expect(try rule(schedule, .at(2026, 4, 5, 2)) == nil)
        }
    }

    @Test("that night hours belong to the day on which they begin")
    func night() throws {
        let night = OpeningHours(
            opens: TimeOfDay(minuteOfDay: 1_320),
            closes: TimeOfDay(minuteOfDay: 120)
        )
        for schedule in try schedules({ $0.weekly = WeeklyHours([.monday: [night]]) }) {
            let tuesday = try #require(CalendarDate(year: 2026, month: 3, day: 24))
            #expect(try rule(schedule, .at(2026, 3, 24, 1, 55)) == nil)
            #expect(try rule(schedule, .at(2026, 3, 24, 2)) == .closedDay(tuesday))
            #expect(try rule(schedule, .at(2026, 3, 23, 1, 30)) == .outsideHours([night]))
        }
    }

    @Test("that the buffers of both appointments count")
    func buffers() throws {
        for schedule in try schedules(staffed) {
            let cut = BookingOptions(serviceID: "cut", staffID: "ana")
            let booked = BusyInterval(
                of: Appointment(
                    booking: BookingRequest(
                        salonID: schedule.salon.id,
                        time: schedule.clock.time(
                            at: schedule.clock.reading(of: try .at(2026, 3, 24, 12)).first
                        ),
                        phone: "12345",
                        options: cut
                    )
                ),
                at: schedule.salon
            )
            for (hour, minute, isTaken) in [
                (11, 15, false), (11, 20, true), (12, 40, true), (12, 45, false),
            ] {
                let found = try rule(schedule, .at(2026, 3, 24, hour, minute), cut, busy: [booked])
                #expect(found == (isTaken ? .taken : nil), "\(hour):\(minute)")
            }
        }
    }

    @Test("that the first of two exceptions for one day counts, for salons and for staff")
    func exceptions() throws {
        let date = try #require(CalendarDate(year: 2026, month: 3, day: 24))
        let closed = OpeningException(date: date, hours: [])
        for schedule in try schedules({ salon in
            let open = OpeningException(date: date, hours: [salon.hours])
            salon.exceptions = [open, closed]
            salon.staff = [
                StaffMember(id: "ana", name: "Ana", exceptions: [open, closed]),
                StaffMember(id: "ben", name: "Ben", exceptions: [closed, open]),
            ]
        }) {
            let noon = try LocalTime.at(2026, 3, 24, 12)
            #expect(try rule(schedule, noon, BookingOptions(staffID: "ana")) == nil)
            let ben = try rule(schedule, noon, BookingOptions(staffID: "ben"))
            #expect(ben == .notWorking("Ben"))
        }
    }

    @Test("that a service that no one offers, or that was removed, is not a matter of time")
    func services() throws {
        for schedule in try schedules(staffed) {
            for (id, reason) in [
                ("color", "is a service that no one at Salon 1 offers"),
                ("shave", "must be one of cut, color"),
            ] {
                let expected = Failure.invalidRequest(field: "serviceId", reason: reason)
                #expect(throws: expected) {
                    try schedule.requirement(for: BookingOptions(serviceID: id))
                }
            }
        }
    }

    @Test("that past is a rule of explanations, and an invalid time for bookings")
    func past() throws {
        for schedule in try schedules({ _ in }) {
            let time = schedule.clock.time(at: now)
            #expect(schedule.rule(blocking: now, now: now) == .past)
            let request = BookingRequest(salonID: schedule.salon.id, time: time, phone: "12345")
            #expect(
                throws: Failure.invalidRequest(
                    field: "appointmentTime",
                    reason: "must be in the future"
                )
            ) {
                try BookingRules.check(request, by: schedule, now: now)
            }
        }
    }

    @Test("that a hold keeps a time although the lead time passes, but not after the time itself")
    func holds() throws {
        for schedule in try schedules({ $0.leadMinutes = 60 }) {
            let start = schedule.clock.reading(of: try .at(2026, 3, 24, 12)).first
            for (seconds, plain, held) in [
                (3_600, nil, nil), (3_599, .tooSoon(leadMinutes: 60), nil),
                (1, .tooSoon(leadMinutes: 60), nil), (0, .past, .past),
            ] as [(Int64, BlockingRule?, BlockingRule?)] {
                let now = start.advanced(bySeconds: -seconds)
                #expect(schedule.rule(blocking: start, now: now) == plain, "\(seconds)")
                #expect(schedule.rule(blocking: start, now: now, isHeld: true) == held)
            }
        }
    }
}
