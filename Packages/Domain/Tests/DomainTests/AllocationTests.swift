import Domain
import DomainTestSupport
import Testing

@Suite("The staff member or the seats of a booking")
struct AllocationTests {
    private let cleo = StaffMember(id: "cleo", name: "Cleo")
    private var salon: Salon { StaffedSalon.salon(StaffedSalon.ana, StaffedSalon.ben, cleo) }

    private func choice(
        _ salon: Salon,
        _ start: Timestamp,
        _ busy: [BusyInterval],
        _ options: BookingOptions = BookingOptions(),
        preferring: String? = nil
    ) throws -> Allocation? {
        let requirement = try salon.schedule.requirement(for: options)
        let schedule = salon.schedule
        return schedule.allocation(for: requirement, at: start, busy: busy, preferring: preferring)
    }

    private func slot(
        _ salon: Salon,
        _ start: Timestamp,
        _ busy: [BusyInterval],
        _ options: BookingOptions = BookingOptions()
    ) throws -> Slot? {
        salon.schedule.slots(
            for: try salon.schedule.requirement(for: options),
            from: start,
            to: start.advanced(bySeconds: 1),
            busy: busy,
            now: StaffedSalon.now,
            isExplained: true
        ).first
    }

    @Test("is the least busy staff member of the day")
    func leastBusy() throws {
        let start = StaffedSalon.at(12)
        let one = StaffedSalon.busy(StaffedSalon.at(9), staff: "ana")
        #expect(try choice(salon, start, [one]) != .staff("ana"))
        let two = StaffedSalon.busy(StaffedSalon.at(16), 20, staff: "ben")
        let three = StaffedSalon.busy(StaffedSalon.at(10), 25, staff: "cleo")
        #expect(try choice(salon, start, [one, two, three]) == .staff("ben"))
        let more = StaffedSalon.busy(StaffedSalon.at(14), 6, staff: "ben")
        #expect(try choice(salon, start, [one, two, three, more]) == .staff("cleo"))
        let taken = StaffedSalon.busy(start, staff: "cleo")
        #expect(try choice(salon, start, [one, two, more, taken]) == .staff("ben"))
    }

    @Test("is the least busy one of the week, from Monday to Sunday, if the day does not decide")
    func leastBusyOfWeek() throws {
        let start = StaffedSalon.at(12)
        // The day is a Tuesday.
        let (monday, sunday): (Int64, Int64) = (-24, 5 * 24 + 23)
        for (ana, ben, cleo, chosen): (Int64, Int64, Int64, String) in [
            (40, 30, 31, "ben"), (40, 30, 29, "cleo"), (28, 30, 29, "ana"),
        ] {
            let work = [
                StaffedSalon.busy(StaffedSalon.at(monday), ana, staff: "ana"),
                StaffedSalon.busy(StaffedSalon.at(sunday), ben, staff: "ben"),
                StaffedSalon.busy(StaffedSalon.at(48), cleo, staff: "cleo"),
            ]
            #expect(try choice(salon, start, work) == .staff(chosen))
            // One minute on the day itself counts more.
            let today = StaffedSalon.busy(StaffedSalon.at(0), 1, staff: chosen)
            #expect(try choice(salon, start, work + [today]) != .staff(chosen))
        }
        let others = ["ben", "cleo"].map {
            StaffedSalon.busy(StaffedSalon.at(72), 1, staff: $0)
        }
        let before = StaffedSalon.busy(StaffedSalon.at(monday - 10), 600, staff: "ana")
        let after = StaffedSalon.busy(StaffedSalon.at(sunday + 1), 600, staff: "ana")
        #expect(try choice(salon, start, others + [before, after]) == .staff("ana"))
        let over = StaffedSalon.busy(StaffedSalon.at(monday - 10), 602, staff: "ana")
        #expect(try choice(salon, start, others + [over]) == .staff("cleo"))
    }

    @Test("depends on the salon and the date if equally much is booked, and not on the order")
    func tie() throws {
        // The least 64-bit FNV-1a hashes of texts such as
        // `2026-03-24 cleo 00000000-0000-0000-0000-000000000001`, computed by a different program.
        for (number, day, chosen): (UInt8, Int64, String) in [
            (1, 0, "cleo"), (1, 1, "ben"), (1, 2, "cleo"), (1, 5, "ana"), (1, 6, "cleo"),
            (2, 0, "cleo"), (2, 1, "ben"), (2, 5, "ana"),
        ] {
            var salon = self.salon
            salon.id = Samples.salonID(number)
            let start = StaffedSalon.at(day * 24 + 12)
            #expect(try choice(salon, start, []) == .staff(chosen), "\(number), \(day)")
            salon.staff.reverse()
            #expect(try choice(salon, start, []) == .staff(chosen), "\(number), \(day)")
        }
    }

    @Test("is found without the work of the week if the day decides, or someone is preferred")
    func unreadWeek() throws {
        let schedule = salon.schedule
        let start = StaffedSalon.at(12)
        let requirement = try schedule.requirement(for: BookingOptions())
        let work = ["ana", "ben"].map { StaffedSalon.busy(StaffedSalon.at(9), staff: $0) }
        var weeks: [Range<Timestamp>] = []
        func read(_ week: Range<Timestamp>) -> [String: Int64] {
            weeks.append(week)
            return [:]
        }
        let cleo = schedule.allocation(
            for: requirement,
            at: start,
            busy: work,
            readingWork: read
        )
        let ana = schedule.allocation(
            for: requirement,
            at: start,
            busy: [],
            preferring: "ana",
            readingWork: read
        )
        #expect(cleo == .staff("cleo") && ana == .staff("ana") && weeks.isEmpty)
        _ = schedule.allocation(for: requirement, at: start, busy: [], readingWork: read)
        #expect(weeks == [StaffedSalon.at(-24)..<StaffedSalon.at(6 * 24)])
    }

    @Test("is the preferred staff member if free, even if others work less")
    func preferred() throws {
        let start = StaffedSalon.at(12)
        let work = StaffedSalon.busy(StaffedSalon.at(9), 120, staff: "cleo")
        #expect(try choice(salon, start, [work], preferring: "cleo") == .staff("cleo"))
        let taken = StaffedSalon.busy(start, staff: "cleo")
        #expect(try choice(salon, start, [taken], preferring: "cleo") == .staff("ben"))
        #expect(try choice(salon, start, [], preferring: "gone") == .staff("cleo"))
        let color = BookingOptions(serviceID: "color")
        #expect(try choice(salon, start, [], color, preferring: "ben") == .staff("cleo"))
    }

    @Test("is nothing if everyone is taken, buffers included, to the minute")
    func buffers() throws {
        let onlyAna = StaffedSalon.salon(StaffedSalon.ana)
        let color = BookingOptions(serviceID: "color")
        let start = StaffedSalon.at(12)
        for (minute, isFree): (Int64, Bool) in [
            (-40, true), (-39, false), (79, false), (80, true),
        ] {
            let taken = StaffedSalon.busy(StaffedSalon.at(12, minute), staff: "ana")
            let chosen = try choice(onlyAna, start, [taken], color)
            #expect((chosen == .staff("ana")) == isFree, "\(minute)")
            #expect((chosen == nil) == !isFree, "\(minute)")
        }
    }

    @Test("may have buffers outside of the hours, but not the service itself")
    func hours() throws {
        let color = BookingOptions(serviceID: "color")
        var salon = StaffedSalon.salon(StaffedSalon.ana)
        #expect(try slot(salon, StaffedSalon.at(9), [], color)?.isAvailable == true)
        #expect(try slot(salon, StaffedSalon.at(17), [], color)?.isAvailable == true)
        #expect(try slot(salon, StaffedSalon.at(17, 30), [], color) == nil)
        salon.staff[0].weekly = StaffedSalon.everyDay(
            StaffedSalon.hours(10, 12),
            StaffedSalon.hours(13, 15)
        )
        let requirement = try salon.schedule.requirement(for: color)
        for (hour, minute, isWorking): (Int64, Int64, Bool) in [
            (9, 30, false), (10, 0, true), (11, 0, true), (11, 30, false), (12, 30, false),
            (13, 0, true), (14, 0, true), (14, 30, false),
        ] {
            let start = StaffedSalon.at(hour, minute)
            let rule = salon.schedule.rule(
                blocking: start,
                for: requirement,
                now: StaffedSalon.now
            )
            #expect(rule == (isWorking ? nil : .notWorking("Ana")), "\(hour):\(minute)")
            #expect((try slot(salon, start, [], color) != nil) == isWorking)
        }
        salon.slotMinutes = 30
        let late = salon.schedule.rule(
            blocking: StaffedSalon.at(17, 30),
            for: requirement,
            now: StaffedSalon.now
        )
        #expect(late == .endsAfterHours(minutes: 60))
    }

    @Test("may cross midnight if the staff member works on both sides of it")
    func acrossMidnight() throws {
        var salon = StaffedSalon.salon(StaffedSalon.ana)
        salon.hours = StaffedSalon.hours(20, 4)
        let color = BookingOptions(serviceID: "color")
        salon.staff[0].weekly = StaffedSalon.everyDay(StaffedSalon.hours(0, 0))
        #expect(try choice(salon, StaffedSalon.at(23, 30), [], color) == .staff("ana"))
        salon.staff[0].weekly = StaffedSalon.everyDay(StaffedSalon.hours(12, 0))
        #expect(try choice(salon, StaffedSalon.at(23, 30), [], color) == nil)
        #expect(try choice(salon, StaffedSalon.at(23), [], color) == .staff("ana"))
    }

    @Test("counts each booking without a known staff member as one that takes anyone")
    func unknownStaff() throws {
        let start = StaffedSalon.at(12)
        let unknown = StaffedSalon.busy(start)
        #expect(try slot(salon, start, [])?.free == 3)
        #expect(try slot(salon, start, [unknown])?.free == 2)
        #expect(try slot(salon, start, [unknown, unknown, unknown, unknown])?.free == 0)
        #expect(try choice(salon, start, [unknown, unknown]) == .staff("cleo"))
        #expect(try choice(salon, start, [unknown, unknown, unknown]) == nil)
        let ana = BookingOptions(staffID: "ana")
        let blocked = try slot(salon, start, [unknown], ana)
        #expect(blocked?.free == 0 && blocked?.isAvailable == false)
        #expect(blocked?.staff == [StaffAvailability(staffID: "ana")])
    }

    @Test("does not count bookings of a staff member who is no longer listed")
    func formerStaff() throws {
        let start = StaffedSalon.at(12)
        let former = StaffedSalon.busy(start, staff: "former")
        #expect(try slot(salon, start, [former, former, former])?.free == 3)
        // Without staff, each booking takes a seat, even one of a staff member.
        var seats = StaffedSalon.salon()
        seats.seats = 2
        #expect(try slot(seats, start, [former])?.free == 1)
        #expect(try choice(seats, start, [former]) == .seats(1))
        #expect(try choice(seats, start, [former, former]) == nil)
    }

    @Test("takes no time for a booking of no length")
    func noLength() throws {
        let start = StaffedSalon.at(12)
        for staff in ["ana", nil] {
            let empty = StaffedSalon.busy(StaffedSalon.at(12, 15), 0, staff: staff)
            #expect(try slot(salon, start, [empty])?.free == 3)
        }
    }

    @Test("needs enough seats, whichever they are")
    func seats() throws {
        var salon = StaffedSalon.salon()
        salon.seats = 4
        let start = StaffedSalon.at(12)
        let two = BookingOptions(seats: 2)
        let early = StaffedSalon.busy(start, 15, seats: 2)
        let late = StaffedSalon.busy(StaffedSalon.at(12, 15), 15, seats: 2)
        #expect(try choice(salon, start, [early, late], two) == .seats(2))
        let long = StaffedSalon.busy(StaffedSalon.at(12, 14), 2)
        #expect(try slot(salon, start, [early, late, long], two)?.free == 1)
        #expect(try slot(salon, start, [early, late, long], two)?.isAvailable == false)
        #expect(try choice(salon, start, [early, late, long], two) == nil)
        #expect(try choice(salon, start, [early, late, long]) == .seats(1))
    }
}
