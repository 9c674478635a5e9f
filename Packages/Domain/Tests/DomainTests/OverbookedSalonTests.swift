import DomainTestSupport
import Testing

@testable import Domain

@Suite("Appointments for which a salon has too few people or seats now")
struct OverbookedSalonTests {
    /// Noon, in UTC.
    private let noon = Samples.booking().time
    private let now = Samples.booking(hours: -24).time.instant

    private func booked(
        _ id: String,
        minutes: Int = 0,
        length: Int = 30,
        staff: String? = nil,
        seats: Int = 1,
        buffer: Int = 0
    ) -> SalonConflicts.Booked {
        var appointment = Samples.appointment()
        appointment.id = id
        appointment.booking.time = noon.advanced(byMinutes: minutes)
        appointment.booking.options = BookingOptions(staffID: staff, seats: seats)
        appointment.endTime = noon.advanced(byMinutes: minutes + length)
        let busy = BusyInterval(
            start: noon.advanced(byMinutes: minutes - buffer).instant,
            end: noon.advanced(byMinutes: minutes + length + buffer).instant,
            staffID: staff,
            seats: seats
        )
        return SalonConflicts.Booked(appointment, minutes: length, busy: busy)
    }

    /// The ids of the conflicts, with their reasons.
    private func conflicts(
        _ booked: [SalonConflicts.Booked],
        now: Timestamp? = nil,
        _ set: (inout Salon) -> Void
    ) throws -> [String] {
        var salon = Samples.salon()
        set(&salon)
        let finder = try SalonConflicts(of: salon, zones: ZonesStub())
        return finder.conflicts(among: booked, now: now ?? self.now).map { conflict in
            let reasons = conflict.reasons.map(\.rawValue).joined(separator: " ")
            return "\(conflict.appointment.id ?? ""): \(reasons)"
        }
    }

    @Test("are three of four at a time if one person is left")
    func onePerson() throws {
        let four = ["a", "b", "c", "d"].map { booked($0) }
        let one = try conflicts(four) { $0.staff = [StaffMember(id: "ana", name: "Ana")] }
        #expect(one.count == 3 && one.allSatisfy { $0.hasSuffix(": overbooked") })
        #expect(try conflicts(four) { $0.seats = 1 }.count == 3)
        #expect(try conflicts(four) { $0.seats = 3 }.count == 1)
        #expect(try conflicts(four) { $0.seats = 4 } == [])
        #expect(try conflicts([booked("a", seats: 4)]) { $0.seats = 2 } == ["a: overbooked"])
    }

    @Test("overlap with their buffers, and not if one ends when the next starts")
    func buffers() throws {
        let touching = [booked("a"), booked("b", minutes: 30)]
        #expect(try conflicts(touching) { $0.seats = 1 } == [])
        let buffered = [booked("a", buffer: 5), booked("b", minutes: 30)]
        #expect(try conflicts(buffered) { $0.seats = 1 } == ["b: overbooked"])
    }

    @Test("do not count those that must move anyway, for example outside the hours")
    func mustMove() throws {
        // The salon closes at 22:30, in the middle of the first one.
        let late = [booked("a", minutes: 600, length: 60), booked("b", minutes: 600)]
        #expect(try conflicts(late) { $0.seats = 1 } == ["a: outsideHours"])
        let staffed = [booked("a", staff: "cleo"), booked("b"), booked("c")]
        let found = try conflicts(staffed) {
            $0.staff = ["ana", "ben"].map { StaffMember(id: $0, name: $0) }
        }
        #expect(found == ["a: notWorking"])
    }

    @Test("have this reason after others that do not make them move, such as the grid")
    func otherReasons() throws {
        let two = [booked("a", minutes: 15), booked("b", minutes: 15)]
        let found = try conflicts(two) { $0.seats = 1 }
        #expect(found == ["a: offGrid", "b: offGrid overbooked"])
    }

    @Test("are those without a person if a person's hours became shorter")
    func shorterHours() throws {
        let morning = StaffedSalon.everyDay(StaffedSalon.hours(9, 12))
        let two = [booked("a", minutes: -30), booked("b", minutes: 0)]
        let found = try conflicts(two) {
            $0.staff = [StaffMember(id: "ana", name: "Ana", weekly: morning)]
        }
        #expect(found == ["b: overbooked"])
    }

    @Test("are in the future, while those that have begun take their time")
    func begun() throws {
        let two = [booked("a", length: 60), booked("b", minutes: 30, length: 15)]
        #expect(try conflicts(two) { $0.seats = 1 } == ["a: overbooked"])
        let later = noon.advanced(byMinutes: 10).instant
        #expect(try conflicts(two, now: later) { $0.seats = 1 } == ["b: overbooked"])
        let end = noon.advanced(byMinutes: 60).instant
        #expect(try conflicts(two, now: end) { $0.seats = 1 } == [])
    }

    @Test(
        "are so many that no minute has more than the salon has without them, and else none",
        arguments: UInt64(500)..<560
    )
    func generated(seed: UInt64) throws {
        var generated = try GeneratedSchedule(seed: seed)
        generated.salon.slotMinutes = generated.salon.slotMinutes ?? 30
        generated.salon.timeZone = generated.clock.zone
        let now = generated.from.advanced(bySeconds: -10 * 86_400)
        let booked = generated.busy.enumerated().map { number, busy in
            var appointment = Samples.appointment()
            appointment.id = "\(number)"
            appointment.booking.time = generated.clock.time(at: busy.start)
            appointment.booking.options = BookingOptions(staffID: busy.staffID, seats: busy.seats)
            appointment.endTime = generated.clock.time(at: busy.end)
            let minutes = Int(busy.end.seconds(since: busy.start) / 60)
            return SalonConflicts.Booked(appointment, minutes: minutes, busy: busy)
        }
        guard case .zone(let id, let rules) = generated.clock else { return }
        let finder = try SalonConflicts(of: generated.salon, zones: ZonesStub([id: rules]))
        let found = finder.conflicts(among: booked, now: now)
        let table = MinuteTable(of: generated, .exact)
        func rest(_ reasons: Set<SalonConflict.Reason>) -> [BusyInterval] {
            let moved = Set(
                found.filter { !reasons.isDisjoint(with: $0.reasons) }.compactMap(\.appointment.id)
            )
            return generated.busy.indices.filter { !moved.contains("\($0)") }
                .map { generated.busy[$0] }
                // Lengths over a day are not compared with the hours.
                .filter { $0.end.seconds(since: $0.start) <= 86_400 }
        }
        #expect(!table.isOverbooked(rest([.outsideHours, .notWorking, .overbooked])))
        let isAnyNamed = found.contains { $0.reasons.contains(.overbooked) }
        if !isAnyNamed { #expect(!table.isOverbooked(rest([.outsideHours, .notWorking]))) }
    }
}
