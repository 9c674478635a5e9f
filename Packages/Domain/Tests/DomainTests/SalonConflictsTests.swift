import DomainTestSupport
import Testing

@testable import Domain

@Suite("Appointments that a salon would not accept now")
struct SalonConflictsTests {
    private let now = Timestamp(secondsSince1970: 1_774_000_000)  // 2026-03-20T09:46:40Z

    /// A salon in Berlin that is open from `opens` to `closes`, with appointments of 30 minutes.
    private func salon(
        _ opens: (Int, Int) = (9, 0),
        _ closes: (Int, Int) = (18, 0),
        _ set: (inout Salon) -> Void = { _ in }
    ) throws -> Salon {
        var salon = Samples.salon()
        salon.hours = OpeningHours(
            opens: try #require(TimeOfDay(hour: opens.0, minute: opens.1)),
            closes: try #require(TimeOfDay(hour: closes.0, minute: closes.1))
        )
        salon.timeZone = try SampleZones.berlin().id
        set(&salon)
        return salon
    }

    private func appointment(_ instant: Timestamp, offsetMinutes: Int = 0) -> Appointment {
        var appointment = Samples.appointment()
        let time = AppointmentTime(instant: instant, offsetMinutes: offsetMinutes)
        appointment.booking.time = time
        return appointment
    }

    private func instant(_ local: LocalTime) throws -> Timestamp {
        let berlin = try SampleZones.berlin()
        return SalonClock.zone(berlin.id, berlin.rules).reading(of: local).first
    }

    private func conflicts(_ salon: Salon) throws -> SalonConflicts {
        let berlin = try SampleZones.berlin()
        return try SalonConflicts(of: salon, zones: ZonesStub([berlin.id: berlin.rules]))
    }

    private func isConflict(_ local: LocalTime, minutes: Int? = 30, in salon: Salon) throws -> Bool
    {
        let appointment = appointment(try instant(local))
        return try conflicts(salon).isOutside(appointment, minutes: minutes, now: now)
    }

    @Test("are those that start before opening or end after closing, to the second")
    func boundaries() throws {
        let conflicts = try conflicts(salon())
        let opening = try instant(.at(2026, 3, 24, 9))
        let lastStart = try instant(.at(2026, 3, 24, 17, 30))
        let closing = try instant(.at(2026, 3, 24, 18))
        for (start, minutes, expected) in [
            (opening, 30, false), (opening.advanced(bySeconds: -1), 30, true),
            (lastStart, 30, false), (lastStart.advanced(bySeconds: 1), 30, true),
            (lastStart, 31, true), (closing.advanced(bySeconds: -1), 0, false),
            (closing, 0, true), (closing, 30, true),
        ] {
            let appointment = appointment(start)
            let isConflict = conflicts.isOutside(appointment, minutes: minutes, now: now)
            #expect(isConflict == expected, "\(start) for \(minutes)")
        }
    }

    @Test("are active, in the future, and at this salon")
    func kinds() throws {
        let conflicts = try conflicts(salon())
        let start = try instant(.at(2026, 3, 24, 20))
        let late = appointment(start)
        let justBefore = start.advanced(bySeconds: -1)
        #expect(conflicts.isOutside(late, minutes: 30, now: justBefore))
        #expect(!conflicts.isOutside(late, minutes: 30, now: start))
        var cancelled = late
        cancelled.status = .cancelled
        #expect(!conflicts.isOutside(cancelled, minutes: 30, now: now))
        var elsewhere = late
        elsewhere.booking.salonID = Samples.salonID(2)
        #expect(!conflicts.isOutside(elsewhere, minutes: 30, now: now))
    }

    @Test("do not depend on the grid, the lead time, or the furthest day")
    func otherRules() throws {
        let strict = try salon { salon in
            (salon.slotMinutes, salon.leadMinutes, salon.furthestDays) = (50, 527_040, 0)
        }
        #expect(try !isConflict(.at(2026, 3, 24, 9, 17), in: strict))
        #expect(try !isConflict(.at(2026, 3, 24, 17, 30), in: strict))
    }

    @Test("extend past closing without a conflict if the length is unknown or none is stated")
    func unknownLength() throws {
        let last = try LocalTime.at(2026, 3, 24, 17, 59)
        let closed = try LocalTime.at(2026, 3, 24, 18)
        #expect(try isConflict(last, minutes: 30, in: salon()))
        #expect(try !isConflict(last, minutes: nil, in: salon()))
        #expect(try isConflict(closed, minutes: nil, in: salon()))
        let withoutLength = try salon { $0.slotMinutes = nil }
        #expect(try !isConflict(last, minutes: 30, in: withoutLength))
        #expect(try isConflict(closed, minutes: 30, in: withoutLength))
    }

    @Test("are on closed days, except in the night that began on the day before")
    func exceptions() throws {
        let date = try #require(CalendarDate(year: 2026, month: 3, day: 25))
        let closed = try salon((22, 0), (2, 0)) {
            $0.exceptions = [OpeningException(date: date, hours: [])]
        }
        #expect(try !isConflict(.at(2026, 3, 25, 1, 30), in: closed))
        #expect(try isConflict(.at(2026, 3, 25, 1, 31), in: closed))
        #expect(try isConflict(.at(2026, 3, 25, 22), in: closed))
        #expect(try isConflict(.at(2026, 3, 26, 1), in: closed))
        #expect(try !isConflict(.at(2026, 3, 26, 22), in: closed))
    }

    @Test("may cross midnight and the end of an opening that the next one continues")
    func adjacentOpenings() throws {
        let open = try salon((9, 30), (9, 30))
        #expect(try !isConflict(.at(2026, 3, 24, 23, 45), in: open))
        #expect(try !isConflict(.at(2026, 3, 24, 9, 15), in: open))
        #expect(try !isConflict(.at(2026, 3, 24, 9, 15), minutes: 1_440, in: open))
        let date = try #require(CalendarDate(year: 2026, month: 3, day: 25))
        let closedNext = try salon((9, 30), (9, 30)) {
            $0.exceptions = [OpeningException(date: date, hours: [])]
        }
        #expect(try !isConflict(.at(2026, 3, 25, 9, 0), in: closedNext))
        #expect(try isConflict(.at(2026, 3, 25, 9, 15), in: closedNext))
    }

    @Test("are found by elapsed time when the clocks change")
    func clockChanges() throws {
        let night = try salon((22, 0), (4, 0))
        // At 02:00 the clock goes forward to 03:00, so two hours after 01:00 it is 04:00.
        #expect(try !isConflict(.at(2026, 3, 29, 1), minutes: 120, in: night))
        #expect(try isConflict(.at(2026, 3, 29, 1), minutes: 121, in: night))
        // At 03:00 it goes back to 02:00, so four hours after 01:00 it is 04:00.
        #expect(try !isConflict(.at(2026, 10, 25, 1), minutes: 240, in: night))
        #expect(try isConflict(.at(2026, 10, 25, 1), minutes: 241, in: night))
    }

    @Test("are at the wall clock of the zone, whatever offset the appointment states")
    func offsets() throws {
        let start = try instant(.at(2026, 3, 24, 9))
        let zoned = try conflicts(salon())
        #expect(!zoned.isOutside(appointment(start, offsetMinutes: 0), minutes: 30, now: now))
        let zoneless = try conflicts(salon { $0.timeZone = nil })
        #expect(!zoneless.isOutside(appointment(start, offsetMinutes: 60), minutes: 30, now: now))
        #expect(zoneless.isOutside(appointment(start, offsetMinutes: 0), minutes: 30, now: now))
    }

    @Test("cannot be found if the salon's time zone is unknown")
    func unknownZone() throws {
        let salon = try salon()
        let zone = try #require(salon.timeZone)
        #expect(throws: Failure.zoneUnknown(zone)) {
            _ = try SalonConflicts(of: salon, zones: ZonesStub())
        }
    }

    @Test(
        "of any length are none at a salon that is always open, and all of them after its calendar",
        arguments: [Int.min, -1, 1_441, .max]
    )
    func extremes(minutes: Int) throws {
        let conflicts = try conflicts(salon((0, 0), (0, 0)))
        for (instant, isOutside) in [
            (try instant(.at(2026, 3, 24, 12)), false),
            (Timestamp(secondsSince1970: 1 << 40), true),
            (Timestamp(secondsSince1970: .max), true),
        ] {
            let found = conflicts.isOutside(appointment(instant), minutes: minutes, now: now)
            #expect(found == isOutside, "\(instant)")
        }
    }

    @Test("are outside the hours of their staff member, or with someone who left")
    func staff() throws {
        let ana = StaffMember(
            id: "ana",
            name: "Ana",
            weekly: StaffedSalon.everyDay(
                StaffedSalon.hours(10, 12),
                StaffedSalon.hours(12, 14),
                StaffedSalon.hours(15, 16)
            )
        )
        let salon = try salon { $0.staff = [ana, StaffMember(id: "ben", name: "Ben")] }
        let conflicts = try conflicts(salon)
        func isConflict(_ staffID: String?, _ hour: Int, _ minute: Int) throws -> Bool {
            var appointment = appointment(try instant(.at(2026, 3, 24, hour, minute)))
            appointment.booking.options.staffID = staffID
            return conflicts.isOutside(appointment, minutes: 30, now: now)
        }
        for (hour, minute, expected) in [
            (9, 59, true), (10, 0, false), (11, 45, false), (13, 30, false), (13, 31, true),
            (14, 30, true), (14, 59, true), (15, 30, false), (15, 31, true),
        ] {
            #expect(try isConflict("ana", hour, minute) == expected, "\(hour):\(minute)")
            #expect(try !isConflict("ben", hour, minute))
            #expect(try !isConflict(nil, hour, minute))
        }
        #expect(try isConflict("cleo", 11, 0))
        #expect(try isConflict("ben", 8, 59))
    }

    @Test("show another local time if the zone or its rules have changed since they were booked")
    func localTimes() throws {
        let start = try instant(.at(2026, 3, 24, 9))
        let conflicts = try conflicts(salon())
        let same = appointment(start, offsetMinutes: 60)
        #expect(conflicts.conflict(of: same, minutes: 30, now: now) == nil)
        let moved = appointment(start, offsetMinutes: 120)
        let found = try #require(conflicts.conflict(of: moved, minutes: 30, now: now))
        #expect(found.reasons == [.localTimeChanged])
        #expect(found.appointment == moved && found.newLocalTime == same.booking.time)
        #expect(conflicts.conflict(of: moved, minutes: 30, now: start) == nil)
        let zoneless = try self.conflicts(salon { $0.timeZone = nil })
        #expect(zoneless.conflict(of: moved, minutes: 30, now: now)?.newLocalTime == nil)
    }

    @Test("are off the grid that each interval restarts, to the second, or have no such service")
    func gridAndServices() throws {
        let salon = try salon { salon in
            salon.slotMinutes = 60
            salon.services = [Service(id: "cut", name: "Cut", minutes: 30)]
            salon.staff = [
                StaffMember(id: "ana", name: "Ana"),
                StaffMember(id: "ben", name: "Ben", services: []),
            ]
        }
        let conflicts = try conflicts(salon)
        let start = try instant(.at(2026, 3, 24, 10))
        func reasons(_ seconds: Int64, _ service: String? = nil, _ staff: String? = nil)
            -> [SalonConflict.Reason]
        {
            var appointment = appointment(start.advanced(bySeconds: seconds), offsetMinutes: 60)
            appointment.booking.options = BookingOptions(serviceID: service, staffID: staff)
            return conflicts.conflict(of: appointment, minutes: 30, now: now)?.reasons ?? []
        }
        for (seconds, isOnGrid) in [
            (-1, false), (0, true), (1, false), (1_800, false), (3_600, true),
        ] {
            #expect(reasons(Int64(seconds)) == (isOnGrid ? [] : [.offGrid]), "\(seconds)")
        }
        #expect(reasons(0, "cut").isEmpty && reasons(0, "cut", "ana").isEmpty)
        #expect(reasons(0, "color") == [.notOffered])
        #expect(reasons(0, "cut", "ben") == [.notOffered])
        #expect(reasons(0, "cut", "cleo") == [.notWorking])
        #expect(reasons(1, "color", "cleo") == [.notWorking, .offGrid, .notOffered])
        // Closed hours have no grid.
        #expect(reasons(12 * 3_600 + 1) == [.outsideHours])
    }
}

extension SalonConflicts {
    /// Whether the hours of the salon or of its staff member do not allow an appointment.
    fileprivate func isOutside(_ appointment: Appointment, minutes: Int?, now: Timestamp) -> Bool {
        let reasons = conflict(of: appointment, minutes: minutes, now: now)?.reasons ?? []
        return reasons.contains(.outsideHours) || reasons.contains(.notWorking)
    }
}
