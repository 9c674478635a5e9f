import BookingStorage
import Contract
import Domain

extension BookingStoreSpec {
    private static let half: Int64 = 1_800

    private static func booking(
        _ seconds: Int64 = 0,
        service: String? = nil,
        staff: String? = nil,
        seats: Int = 1
    ) -> BookingRequest {
        let options = BookingOptions(serviceID: service, staffID: staff, seats: seats)
        return StoreFixture.booking(seconds, options)
    }

    /// Expects that a booking cannot be made or held, and that an appointment cannot become it.
    private static func expectTooManyRows(
        _ rows: Int,
        _ booking: BookingRequest,
        minutes: Int,
        _ appointment: StoredAppointment,
        _ fixture: StoreFixture
    ) async throws {
        let check: @Sendable (Salon) throws -> BookingPlan = { salon in
            try BookingPlan(minutes: minutes, booking.options, at: salon)
        }
        try await expectError(.tooManyRows(rows)) {
            try await fixture.store.book(booking, as: nil, check: check)
        }
        try await expectError(.tooManyRows(rows)) {
            try await fixture.store.hold(booking, seconds: 300, check: check)
        }
        try await expectError(.tooManyRows(rows)) {
            try await fixture.store.change(appointment.id, as: nil) { stored, salon in
                stored.booking = booking
                return try salon.map(check)
            }
        }
    }

    static let resources: [Self] = [
        Self("a booking gets the free staff member with the least work that day") { fixture in
            try await addStaff(fixture)
            let first = try await fixture.book(booking(service: "color"))
            try expectEqual(first.booking.options.staffID, "ana")
            try expectEqual(first.isStaffAssigned, true)
            try expectEqual(first.minutes, 60)
            try expectEqual([first.bufferBefore, first.bufferAfter], [5, 10])
            try expectEqual(try await fixture.store.appointment(first.id), first)
            var assigned: [String?] = []
            for slot: Int64 in [4, 4, 4, 8, 8] {
                let next = try await fixture.book(booking(slot * half, service: "cut"))
                assigned.append(next.booking.options.staffID)
            }
            // Bob and Cem have equally little work twice, and Bob's hash is smaller.
            try expectEqual(assigned, ["bob", "1", "ana", "bob", "1"])
        },
        Self("of equally busy staff members, one with the least work in that week is booked") {
            fixture in
            try await addStaff(fixture)
            // The day of the booking is a Saturday.
            let day: Int64 = 86_400
            try await fixture.book(booking(day, service: "cut", staff: "bob"))
            try await fixture.book(booking(2 * day, service: "cut", staff: "1"))
            let cancelled = try await fixture.book(booking(day, service: "cut", staff: "1"))
            try await fixture.cancel(cancelled.id)
            func expectAssigned(_ id: String) async throws {
                let booked = try await fixture.book(booking(service: "cut"))
                try expectEqual(booked.booking.options.staffID, id)
                try await fixture.cancel(booked.id)
            }
            // Ana and Cem have no work in that week, and Ana's hash is smaller.
            try await expectAssigned("ana")
            let hold = try await fixture.hold(booking(day + half, service: "cut", staff: "ana"))
            try await expectAssigned("1")
            try await fixture.store.release(hold: hold.id)
            try await expectAssigned("ana")
        },
        Self("a staff member is booked once at a time, buffers included") { fixture in
            try await addStaff(fixture)
            // Ana is not free from five minutes before until ten minutes after.
            try await fixture.book(booking(service: "color", staff: "ana"))
            for taken: Int64 in [-2_099, 0, 4_199] {
                try await expectError(.slotUnavailable) {
                    try await fixture.book(booking(taken, service: "cut", staff: "ana"))
                }
            }
            for free: Int64 in [-2_100, 4_200] {
                let booked = try await fixture.book(booking(free, service: "cut", staff: "ana"))
                try expectEqual(booked.isStaffAssigned, false)
            }
            try await fixture.book(booking(service: "cut", staff: "bob"))
        },
        Self("a staff member who does not offer the service is not assigned") { fixture in
            try await addStaff(fixture)
            try await fixture.book(booking(service: "color"))
            try await expectError(.slotUnavailable) {
                try await fixture.book(booking(service: "color"))
            }
            try await fixture.book(booking(service: "cut"))
        },
        Self("as many seats are booked at a time as the salon has") { fixture in
            try await fixture.putSeats(3)
            try await fixture.book(booking(seats: 2))
            try await expectError(.slotUnavailable) { try await fixture.book(booking(seats: 2)) }
            // The seats that are free differ from one five-minute interval to the next.
            try await fixture.book(booking(-half))
            try await fixture.book(booking(half / 2))
            try await fixture.book(booking(3 * half / 2, seats: 3))
            try await expectError(.slotUnavailable) { try await fixture.book(booking(half)) }
            let busy = try await fixture.agenda()
            try expectEqual(busy.map(\.seats).sorted(), [1, 1, 2, 3])
        },
        Self("a booking, a move, and a hold take at most 2,000 grains of all seats") { fixture in
            try await fixture.putSeats(100)
            // 80 seats for 25 grains, or for 26 if the start is not at the beginning of one.
            let most = try await fixture.store.book(booking(seats: 80), as: nil, minutes: 125)
            try expectEqual(try await fixture.agenda().map(\.seats), [80])
            let later = 6 * half
            try await expectTooManyRows(
                2_001,
                booking(later, seats: 87),
                minutes: 115,
                most,
                fixture
            )
            try await expectTooManyRows(
                2_025,
                booking(later, seats: 81),
                minutes: 125,
                most,
                fixture
            )
            let unaligned = booking(later + 1, seats: 80)
            try await expectTooManyRows(2_080, unaligned, minutes: 125, most, fixture)
            try expectEqual(try await fixture.agenda().map(\.seats), [80])
            try expectEqual(try await fixture.move(most.id, to: later).minutes, 125)
        },
        Self("a salon with too many seats for a service can book some of them") { fixture in
            var salon = StoreFixture.salon(StoreFixture.first)
            salon.seats = 1_000
            salon.services = [
                Service(
                    id: "day",
                    name: "Day",
                    minutes: 1_440,
                    bufferBefore: 1_440,
                    bufferAfter: 1_440
                )
            ]
            try await fixture.store.put(salon, if: .present)
            try await fixture.book(booking(service: "day", seats: 2))
            try await expectError {
                try await fixture.book(booking(service: "day", seats: 3))
            } matches: {
                $0.kind == .invalidBooking && $0.message.hasPrefix("seats ")
            }
        },
        Self("a time stays taken if the salon gives up the seat or the staff member") { fixture in
            try await fixture.putSeats(2)
            let first = try await fixture.book(booking())
            try await fixture.book(booking())
            try await fixture.cancel(first.id)
            try await addStaff(fixture)
            try await fixture.book(booking(2 * half, service: "cut", staff: "bob"))
            try await fixture.putSeats(1)
            for taken: Int64 in [0, 2 * half] {
                try await expectError(.slotUnavailable) { try await fixture.book(booking(taken)) }
            }
            try await fixture.book(booking(half))
        },
        Self("an appointment without a staff member keeps one free for its whole time") { fixture in
            let hour = try BookingPlan(minutes: 60, at: StoreFixture.salon(StoreFixture.first))
            for day: Int64 in [0, 1] {
                _ = try await fixture.store.book(booking(day * 86_400), as: nil) { _ in hour }
            }
            var salon = StoreFixture.salon(StoreFixture.first)
            salon.staff = ["ana", "ben"].map { StaffMember(id: $0, name: $0) }
            try await fixture.store.put(salon, if: .present)
            let first = try await fixture.book(booking())
            try expectEqual(first.booking.options.staffID, "ben")
            // Ana has less work, but only she is free for the whole hour.
            let second = try await fixture.book(booking(half))
            try expectEqual(second.booking.options.staffID, "ben")
            for taken in [0, half, 3 * half / 2] {
                try await expectError(.slotUnavailable) { try await fixture.book(booking(taken)) }
            }
            // Moves and holds choose a staff member in the same way.
            let day: Int64 = 86_400
            let moved = try await fixture.move(second.id, to: day)
            let hold = try await fixture.hold(booking(day + half))
            try expectEqual(moved.booking.options.staffID, "ben")
            try expectEqual(hold.booking.options.staffID, "ben")
            try await fixture.book(booking(2 * half, staff: "ana"))
        },
        Self("a moved appointment keeps its staff member, or gets another one") { fixture in
            try await addStaff(fixture)
            let assigned = try await fixture.book(booking(service: "color"))
            let cut = try await fixture.book(booking(service: "cut"))
            try expectEqual(cut.booking.options.staffID, "bob")
            try await fixture.book(booking(4 * half, service: "cut", staff: "bob"))
            let kept = try await fixture.move(cut.id, to: 5 * half)
            try expectEqual(kept.booking.options.staffID, "bob")
            let replaced = try await fixture.move(cut.id, to: 4 * half)
            try expectEqual(replaced.booking.options.staffID, "1")
            try expectEqual(replaced.isStaffAssigned, true)
            try expectEqual(replaced.booking.options.serviceID, "cut")
            // Only Ana offers this service.
            try await fixture.book(booking(4 * half, service: "cut", staff: "ana"))
            try await expectError(.slotUnavailable) {
                try await fixture.move(assigned.id, to: 4 * half)
            }
        },
        Self("an appointment keeps its service as it was booked, until it moves") { fixture in
            try await addStaff(fixture)
            let booked = try await fixture.book(booking(service: "color"), key: "k")
            let price = Price(amount: 8_000, currency: "EUR")
            try expectEqual(booked.serviceName, "Color")
            try expectEqual(booked.price, price)
            var salon = StoreFixture.staffed(StoreFixture.salon(StoreFixture.first))
            salon.services[1].price = nil
            salon.services[1].name = "New color"
            try await fixture.store.put(salon, if: .present)
            try expectEqual(try await fixture.store.appointment(booked.id), booked)
            try expectEqual(try await fixture.book(booking(service: "color"), key: "k"), booked)
            func move(to seconds: Int64) async throws -> StoredAppointment {
                let time = StoreFixture.booking(seconds).time
                return try await fixture.store.change(booked.id, as: nil) { stored, salon in
                    stored.booking.time = time
                    return try salon.map { salon in
                        let schedule = Schedule(
                            of: salon,
                            on: .offset(minutes: 0),
                            precision: .grains
                        )
                        return BookingPlan(
                            schedule: schedule,
                            requirement: try schedule.requirement(
                                for: stored.requestedOptions,
                                moving: stored.appointment
                            )
                        )
                    }
                }
            }
            salon.services.removeLast()
            try await fixture.store.put(salon, if: .present)
            let kept = try await move(to: 4 * half)
            try expectEqual(kept.price, price)
            try expectEqual([kept.bufferBefore, kept.minutes, kept.bufferAfter], [5, 60, 10])
            try expectEqual(try await fixture.store.appointment(booked.id), kept)
            salon.services.append(Service(id: "color", name: "New color", minutes: 30))
            try await fixture.store.put(salon, if: .present)
            let renewed = try await move(to: 8 * half)
            try expectEqual(renewed.serviceName, "New color")
            try expectEqual(renewed.price, nil)
            try expectEqual(
                [renewed.bufferBefore, renewed.minutes, renewed.bufferAfter],
                [0, 30, 0]
            )
            let cut = try await fixture.book(booking(16 * half))
            try expectEqual(cut.serviceName, nil)
        },
        Self("the agenda has staff members, seats, and buffers") { fixture in
            try await addStaff(fixture)
            let booked = try await fixture.book(booking(service: "color"))
            let start = booked.booking.time.instant
            let expected = BusyInterval(
                start: start.advanced(bySeconds: -300),
                end: start.advanced(bySeconds: 4_200),
                staffID: "ana"
            )
            try expectEqual(try await fixture.agenda(from: -300, to: -299), [expected])
            try expectEqual(try await fixture.agenda(from: 4_199, to: 4_200), [expected])
            try expectEqual(try await fixture.agenda(from: -900, to: -300), [])
            try expectEqual(try await fixture.agenda(from: 4_200, to: 9_000), [])
        },
        Self("the longest appointment is found at the ends of its longest buffers") { fixture in
            var salon = StoreFixture.salon(StoreFixture.first)
            let longest = Service(
                id: "longest",
                name: "Longest",
                minutes: 1_440,
                bufferBefore: 1_440,
                bufferAfter: 1_440
            )
            salon.services = [longest]
            try await fixture.store.put(salon, if: .present)
            let booked = try await fixture.book(booking(service: "longest"))
            let day: Int64 = 86_400
            for (from, to) in [(-day, -day + 1), (2 * day - 1, 2 * day)] {
                try expectEqual(try await fixture.agenda(from: from, to: to), [booked.interval])
                try await expectError(.slotUnavailable) {
                    let plan = from < 0 ? from - half + 1 : from
                    try await fixture.store.book(booking(plan), as: nil, minutes: 30)
                }
            }
            for free in [-day - half, 2 * day] {
                try await fixture.store.book(booking(free), as: nil, minutes: 30)
            }
        },
        Self("if 200 bookings race for a time of three staff members, three succeed") { fixture in
            try await addStaff(fixture)
            let results = await concurrently(200) { _ in
                try await fixture.book(booking(service: "cut"))
            }
            let staff = results.compactMap { try? $0.get().booking.options.staffID }
            try expectEqual(staff.sorted(), ["1", "ana", "bob"])
        },
        Self("if 200 bookings race for five seats, five succeed") { fixture in
            try await fixture.putSeats(5)
            let results = await concurrently(200) { index in
                try await fixture.book(booking(Int64(index % 5) * 60))
            }
            try expectEqual(results.count(where: isSuccess), 5)
        },
    ]
}
