import BookingStorage
import Contract
import Domain
import DomainTestSupport

extension BookingStoreSpec {
    /// A clock that is `minutes` ahead of UTC, and `changed` minutes from `second` seconds after a day
    /// from now.
    private static func clock(
        aheadBy minutes: Int = 60,
        _ changed: Int? = nil,
        fromSecond second: Int64 = 0
    ) throws -> SalonClock {
        let change = ZoneRules.Transition(
            StoreFixture.booking(second).time.instant,
            offsetSeconds: (changed ?? minutes) * 60
        )
        let rules = ZoneRules(firstOffsetSeconds: minutes * 60, transitions: [change], tail: nil)
        guard let zone = ZoneID("Test/Zone"), let rules else {
            throw SpecViolation(description: "the zone is invalid")
        }
        return .zone(zone, rules)
    }

    private static func put(
        _ fixture: StoreFixture,
        seats: Int? = nil,
        hasStaff: Bool = false,
        on clock: SalonClock
    ) async throws(Problem) -> SalonUpdate {
        var salon = StoreFixture.salon(StoreFixture.first)
        if hasStaff { salon = StoreFixture.staffed(salon) }
        salon.seats = seats
        let schedule = Schedule(of: salon, on: clock, precision: .grains)
        return try await fixture.store.put(
            salon,
            if: .present,
            keepingWallClockBy: schedule,
            by: .local
        )
    }

    /// Checks that a put fails because of one of `appointments`, or of none in particular if there are
    /// none, and that nothing has changed.
    private static func expectFailure(
        _ fixture: StoreFixture,
        because appointments: StoredAppointment...,
        seats: Int? = nil,
        on clock: SalonClock
    ) async throws {
        let before = try await fixture.appointments()
        let agenda = Set(try await fixture.agenda(to: 40 * 86_400))
        let salon = try await fixture.store.salon(StoreFixture.first)
        try await expectError {
            _ = try await put(fixture, seats: seats, on: clock)
        } matches: {
            guard $0.kind == .wallClockNotKept else { return false }
            guard let found = $0.appointment else { return appointments.isEmpty }
            return appointments.contains(found)
        }
        try expectEqual(try await fixture.appointments(), before)
        try expectEqual(Set(try await fixture.agenda(to: 40 * 86_400)), agenda)
        try expectEqual(try await fixture.store.salon(StoreFixture.first), salon)
    }

    private static let half: Int64 = 1_800

    static let wallClock: [Self] = [
        Self("appointments keep their local times when the salon's clock changes") { fixture in
            let booked = [try await fixture.book(), try await fixture.book(2 * half)]
            let cancelled = try await fixture.book(6 * half)
            try await fixture.cancel(cancelled.id)
            let elsewhere = try await fixture.book(in: StoreFixture.second)
            // The first appointment gets the time that the second one leaves.
            let update = try await put(fixture, on: clock(aheadBy: 0))
            guard case .replaced(let salon, moved: 2) = update, salon.version == 2 else {
                throw SpecViolation(description: "\(update)")
            }
            for before in booked {
                var after = before
                after.version = 2
                after.booking.time = AppointmentTime(
                    instant: before.booking.time.instant.advanced(bySeconds: 3_600)
                )
                try expectEqual(try await fixture.store.appointment(before.id), after)
            }
            try expectEqual(try await fixture.store.appointment(elsewhere.id), elsewhere)
            // The new times of the appointments are taken, and the old ones are free.
            for taken in [2 * half, 4 * half] {
                try await expectError(.slotUnavailable) { try await fixture.book(taken) }
            }
            for free in [0, half, 3 * half] { try await fixture.book(free) }
        },
        Self("appointments with the right offset, and those of the past, do not move") { fixture in
            try await fixture.book()
            fixture.clock.advance(bySeconds: 86_400)
            try await fixture.book(half)
            try expectEqual(
                try await put(fixture, on: clock(aheadBy: 0, 60, fromSecond: half)),
                .replaced(try await stored(fixture), moved: 0)
            )
            // The first one begins now, so it is not in the future.
            try expectEqual(
                try await put(fixture, on: clock(aheadBy: 0)),
                .replaced(try await stored(fixture), moved: 1)
            )
        },
        Self("moved appointments keep their staff members, lengths, and buffers") { fixture in
            try await addStaff(fixture)
            func booking(_ seconds: Int64, _ service: String, _ staff: String?) -> BookingRequest {
                StoreFixture.booking(seconds, BookingOptions(serviceID: service, staffID: staff))
            }
            let booked = [
                try await fixture.book(booking(0, "color", nil)),
                try await fixture.book(booking(0, "cut", "bob")),
                try await fixture.book(booking(4 * half, "cut", nil)),
            ]
            let update = try await put(fixture, hasStaff: true, on: clock(aheadBy: 0))
            guard case .replaced(_, moved: 3) = update else {
                throw SpecViolation(description: "\(update)")
            }
            for before in booked {
                let found = try await fixture.store.appointment(before.id)
                try expectEqual(found?.booking.options, before.booking.options)
                try expectEqual(found?.isStaffAssigned, before.isStaffAssigned)
                try expectEqual(found?.minutes, before.minutes)
                try expectEqual(found?.interval.end, before.interval.end.advanced(bySeconds: 3_600))
            }
            try await expectError(.slotUnavailable) {
                try await fixture.book(booking(2 * half, "cut", "bob"))
            }
            try await fixture.book(booking(0, "cut", "bob"))
        },
        Self("nothing changes if an appointment takes more seats than the salon has") { fixture in
            try await fixture.putSeats(3)
            let booked = try await fixture.book(StoreFixture.booking(0, BookingOptions(seats: 2)))
            let reason = "it takes 2 seats, more than the salon has"
            try await expectError(.wallClockNotKept(reason: reason, booked)) {
                _ = try await put(fixture, seats: 1, on: clock(aheadBy: 0))
            }
            let update = try await put(fixture, seats: 2, on: clock(aheadBy: 0))
            guard case .replaced(_, moved: 1) = update else {
                throw SpecViolation(description: "\(update)")
            }
        },
        Self("nothing changes if a local time does not exist, or occurs twice") { fixture in
            let booked = try await fixture.book()
            // The clock of the booking is an hour ahead. It goes forward at that local time.
            try await expectFailure(
                fixture,
                because: booked,
                on: clock(aheadBy: 60, 120, fromSecond: 0)
            )
            // The clock of the booking goes back by an hour, half an hour later.
            try await expectFailure(
                fixture,
                because: booked,
                on: clock(aheadBy: 0, -60, fromSecond: 3_600 + half)
            )
        },
        Self("nothing changes if the new time is not in the future") { fixture in
            let booked = try await fixture.book()
            try await expectFailure(fixture, because: booked, on: clock(aheadBy: 60 + 1_440))
            _ = try await put(fixture, on: clock(aheadBy: 60 + 1_435))
        },
        Self("nothing changes if two appointments would overlap, to the grain") { fixture in
            // The first one moves by an hour. The second one begins with the change of the clock, and
            // stays.
            let first = try await fixture.book()
            let second = try await fixture.book(3_600 + half - 300)
            let change = try clock(aheadBy: 0, 60, fromSecond: 3_600 + half - 300)
            try await expectFailure(fixture, because: first, on: change)
            try await fixture.cancel(second.id)
            try await fixture.book(3_600 + half)
            let update = try await put(fixture, on: change)
            guard case .replaced(_, moved: 1) = update else {
                throw SpecViolation(description: "\(update)")
            }
        },
        Self("nothing changes if a hold has the new time") { fixture in
            let booked = try await fixture.book()
            try await fixture.hold(2 * half)
            try await expectFailure(fixture, because: booked, on: clock(aheadBy: 0))
            fixture.clock.advance(bySeconds: 300)
            _ = try await put(fixture, on: clock(aheadBy: 0))
        },
        Self("moved appointments share the seats") { fixture in
            _ = try await put(fixture, seats: 3, on: clock())
            let booked = [
                try await fixture.book(0, BookingOptions(seats: 2)),
                try await fixture.book(0),
            ]
            try await expectFailure(
                fixture,
                because: booked[0],
                booked[1],
                seats: 2,
                on: clock(aheadBy: 0)
            )
            let update = try await put(fixture, seats: 3, on: clock(aheadBy: 0))
            guard case .replaced(_, moved: 2) = update else {
                throw SpecViolation(description: "\(update)")
            }
            try await expectError(.slotUnavailable) { try await fixture.book(2 * half) }
            try await fixture.book()
        },
        Self("at most 2,000 grains move at once") { fixture in
            var last = ""
            // 6 times 288, then 272, and 1.
            for (day, minutes) in [1_440, 1_440, 1_440, 1_440, 1_440, 1_440, 1_360, 5].enumerated()
            {
                let booking = StoreFixture.booking(Int64(day) * 86_400)
                last = try await fixture.store.book(booking, as: nil, minutes: minutes).id
            }
            try await expectFailure(fixture, on: clock(aheadBy: 0))
            try await fixture.cancel(last)
            let update = try await put(fixture, on: clock(aheadBy: 0))
            guard case .replaced(_, moved: 7) = update else {
                throw SpecViolation(description: "\(update)")
            }
        },
    ]

    private static func stored(_ fixture: StoreFixture) async throws -> Salon {
        guard let salon = try await fixture.store.salon(StoreFixture.first) else {
            throw SpecViolation(description: "the salon is missing")
        }
        return salon
    }
}
