import Testing

@testable import Domain

@Suite("What an appointment needs")
struct RequirementTests {
    private func error(
        _ options: BookingOptions,
        at salon: Salon
    ) -> Failure? {
        do {
            _ = try salon.schedule.requirement(for: options)
            return nil
        } catch {
            return error
        }
    }

    private let staffed = StaffedSalon.salon(StaffedSalon.ana, StaffedSalon.ben)

    @Test("must be offered: the service")
    func service() {
        #expect(
            error(BookingOptions(serviceID: "nails"), at: staffed)
                == Failure.invalidRequest(field: "serviceId", reason: "must be one of cut, color")
        )
        var plain = staffed
        plain.services = []
        #expect(
            error(BookingOptions(serviceID: "cut"), at: plain)
                == Failure.invalidRequest(
                    field: "serviceId",
                    reason: "cannot be chosen, because Salon 1 lists no services"
                )
        )
        let onlyBen = StaffedSalon.salon(StaffedSalon.ben)
        #expect(
            error(BookingOptions(serviceID: "color"), at: onlyBen)
                == Failure.invalidRequest(
                    field: "serviceId",
                    reason: "is a service that no one at Salon 1 offers"
                )
        )
        #expect(error(BookingOptions(serviceID: "cut"), at: onlyBen) == nil)
    }

    @Test("must be offered: the staff member")
    func staff() {
        #expect(
            error(BookingOptions(staffID: "cleo"), at: staffed)
                == Failure.invalidRequest(field: "staffId", reason: "must be one of ana, ben")
        )
        #expect(
            error(BookingOptions(staffID: "ana"), at: StaffedSalon.salon())
                == Failure.invalidRequest(
                    field: "staffId",
                    reason: "cannot be chosen, because Salon 1 lists no staff"
                )
        )
        #expect(
            error(BookingOptions(serviceID: "color", staffID: "ben"), at: staffed)
                == Failure.invalidRequest(
                    field: "staffId",
                    reason: "is Ben, who does not offer Color; it is offered by ana, and ben "
                        + "offers cut"
                )
        )
        #expect(error(BookingOptions(staffID: "ben"), at: staffed) == nil)
    }

    @Test("must be offered: the number of seats")
    func seats() {
        var salon = StaffedSalon.salon()
        for (total, allowed) in [(nil, 1), (1, 1), (3, 3), (0, 1), (-5, 1)] as [(Int?, Int)] {
            salon.seats = total
            #expect(error(BookingOptions(seats: allowed), at: salon) == nil)
            #expect(
                error(BookingOptions(seats: allowed + 1), at: salon)
                    == Failure.invalidRequest(
                        field: "seats",
                        reason: "must be at most \(allowed), the number of seats of Salon 1"
                    )
            )
            for tooFew in [0, -1, Int.min] {
                #expect(
                    error(BookingOptions(seats: tooFew), at: salon)
                        == Failure.invalidRequest(field: "seats", reason: "must be at least 1")
                )
            }
        }
        for seats in [2, Int.max] {
            #expect(
                error(BookingOptions(seats: seats), at: staffed)
                    == Failure.invalidRequest(
                        field: "seats",
                        reason: "must be 1, because Salon 1 books staff, not seats"
                    )
            )
        }
    }

    @Test("is a staff member who offers the service, in the salon's order")
    func resources() throws {
        let schedule = staffed.schedule
        let color = try schedule.requirement(for: BookingOptions(serviceID: "color"))
        #expect(color.resources == .staff([StaffedSalon.ana]))
        let cut = try schedule.requirement(for: BookingOptions(serviceID: "cut"))
        #expect(cut.resources == .staff([StaffedSalon.ana, StaffedSalon.ben]))
        let any = try schedule.requirement(for: BookingOptions())
        #expect(any.resources == .staff([StaffedSalon.ana, StaffedSalon.ben]))
        let ben = try schedule.requirement(for: BookingOptions(staffID: "ben"))
        #expect(ben.resources == .staff([StaffedSalon.ben]))
    }

    @Test("is the service's time with its buffers, and otherwise the salon's usual length")
    func times() throws {
        let start = StaffedSalon.at(10)
        var salon = StaffedSalon.salon()
        let color = try salon.schedule.requirement(for: BookingOptions(serviceID: "color"))
        #expect(color.interval(from: start) == StaffedSalon.at(9, 50)..<StaffedSalon.at(11, 20))
        #expect(color.end(from: start) == StaffedSalon.at(11))
        for (slotMinutes, minutes) in [(nil, 30), (45, 45), (0, 1), (9_999, 1_440)] as [(Int?, Int)]
        {
            salon.slotMinutes = slotMinutes
            let usual = try salon.schedule.requirement(for: BookingOptions())
            #expect(usual.minutes == minutes)
            #expect(usual.interval(from: start).lowerBound == start)
        }
    }

    @Test(
        "is no more than 2,000 grains of all seats, if time is divided into grains",
        arguments: [
            (60, 153, 154), (65, 142, 143), (1_440, 6, 7), (5, 1_000, nil), (1, 1_000, nil),
        ]
            as [(Int, Int, Int?)]
    )
    func seats(minutes: Int, most: Int, tooMany: Int?) throws {
        var salon = StaffedSalon.salon()
        salon.seats = 1_000
        salon.services = [Service(id: "s", name: "S", minutes: minutes)]
        let schedule = Schedule(of: salon, on: .offset(minutes: 0), precision: .grains)
        let options = BookingOptions(serviceID: "s", seats: most)
        #expect(try schedule.requirement(for: options).maximumSeats == most)
        guard let tooMany else { return }
        let more = BookingOptions(serviceID: "s", seats: tooMany)
        let expected = Failure.invalidRequest(
            field: "seats",
            reason: "must be at most \(most) for \(minutes) minutes, buffers included"
        )
        #expect(throws: expected) { try schedule.requirement(for: more) }
        #expect(error(more, at: salon) == nil)
    }

    @Test("that is the largest of a salon takes all seats for the longest time, or one person")
    func largest() {
        var salon = StaffedSalon.salon()
        salon.seats = 7
        let largest = Requirement.largest(at: salon)
        #expect(largest.count == 7 && largest.takenMinutes == 90)
        #expect(Requirement.largest(at: staffed).count == 1)
        salon.slotMinutes = 120
        #expect(Requirement.largest(at: salon).takenMinutes == 120)
    }

    @Test("is limited to a day for each length, and does not trap at the extremes")
    func extremes() throws {
        var salon = StaffedSalon.salon()
        for number in [Int.min, -1, 0, .max] {
            salon.services = [
                Service(
                    id: "odd",
                    name: "Odd",
                    minutes: number,
                    bufferBefore: number,
                    bufferAfter: number
                )
            ]
            for precision in [TimePrecision.exact, .grains] {
                let schedule = Schedule(of: salon, on: .offset(minutes: 0), precision: precision)
                let odd = try schedule.requirement(for: BookingOptions(serviceID: "odd"))
                let isHuge = number == .max
                #expect(odd.minutes == (isHuge ? 1_440 : 1))
                #expect(odd.bufferBefore == (isHuge ? 1_440 : 0))
                #expect(odd.bufferAfter == (isHuge ? 1_440 : 0))
                for seconds in [Int64.min, .max] {
                    let instant = Timestamp(secondsSince1970: seconds)
                    let busy = [BusyInterval(start: instant, end: instant)]
                    _ = odd.interval(from: instant)
                    _ = schedule.rule(blocking: instant, for: odd, busy: busy, now: instant)
                    _ = schedule.allocation(for: odd, at: instant, busy: busy)
                    _ = schedule.allocationRange(for: odd, at: instant)
                    _ = schedule.alternatives(to: instant, for: odd, busy: busy, now: instant)
                }
            }
        }
    }
}
