import BookingStorage
import Domain
import DomainTestSupport

extension BookingStoreSpec {
    static let holds: [Self] = reserving + converting

    private static let reserving: [Self] = [
        Self("a hold takes the time until it expires") { fixture in
            let hold = try await fixture.hold()
            try expectEqual(hold.expiresAt, StoreFixture.now.advanced(bySeconds: 300))
            try expectEqual(try await fixture.agenda(), [hold.interval])
            fixture.clock.advance(bySeconds: 299)
            try expectEqual(try await fixture.agenda(), [hold.interval])
            try await expectError(.slotUnavailable) { try await fixture.book() }
            fixture.clock.advance(bySeconds: 1)
            try expectEqual(try await fixture.agenda(), [])
            try await fixture.book()
            try expectEqual(try await fixture.agenda().count, 1)
        },
        Self("a hold names the staff member it reserves") { fixture in
            try await addStaff(fixture)
            let options = BookingOptions(serviceID: "color")
            let hold = try await fixture.hold(0, options)
            try expectEqual(hold.hold.staffID, "ana")
            try expectEqual(hold.requestedOptions, options)
            try expectEqual([hold.minutes, hold.bufferBefore, hold.bufferAfter], [60, 5, 10])
            try await expectError(.slotUnavailable) {
                try await fixture.hold(0, options, phone: "67890")
            }
        },
        Self("a caller has at most three active holds") { fixture in
            for slot: Int64 in 0..<3 {
                try await fixture.hold(slot * 1_800, seconds: 600 - slot * 100)
            }
            fixture.clock.advance(bySeconds: 90)
            // The first one to expire is the third one, 400 seconds after it was made. The number
            // is the same, however it is written.
            try await expectError(.tooManyHolds(retryAfterSeconds: 310)) {
                try await fixture.hold(9_000, phone: "0123 45")
            }
            try await fixture.hold(9_000, phone: "67890")
            fixture.clock.advance(bySeconds: 310)
            try await fixture.hold(10_800)
        },
        Self("a released hold frees its time, and can be released again") { fixture in
            let hold = try await fixture.hold()
            for _ in 0..<2 { try await fixture.store.release(hold: hold.id) }
            try expectEqual(try await fixture.agenda(), [])
            try await fixture.book()
            try await expectError(.holdNotFound("none")) {
                try await fixture.store.release(hold: "none")
            }
        },
        Self("an expired hold is remembered for a day") { fixture in
            let hold = try await fixture.hold()
            fixture.clock.advance(bySeconds: 300 + 86_400)
            try await fixture.hold(90_000)
            try await fixture.store.release(hold: hold.id)
            fixture.clock.advance(bySeconds: 1)
            try await fixture.hold(93_600)
            try await expectError(.holdNotFound(hold.id)) {
                try await fixture.store.release(hold: hold.id)
            }
        },
        Self("the same request with the same key returns the same hold") { fixture in
            let booking = StoreFixture.booking()
            let hold = try await fixture.hold(booking, key: "k")
            fixture.clock.advance(bySeconds: 299)
            try expectEqual(try await fixture.hold(booking, key: "k"), hold)
            fixture.clock.advance(bySeconds: 1)
            try expect(try await fixture.hold(booking, key: "k").id != hold.id)
        },
        Self("the key of a hold is rejected in a different request for one") { fixture in
            let hold = try await fixture.hold(key: "k")
            let others = [
                (StoreFixture.booking(1_800), 300), (StoreFixture.booking(), 60),
                (StoreFixture.booking(phone: "67890"), 300),
                (StoreFixture.booking(phone: "012345"), 300),
            ]
            for (booking, seconds) in others {
                try await expectError(.idempotencyConflict) {
                    try await fixture.hold(booking, seconds: Int64(seconds), key: "k")
                }
            }
            try expectEqual(try await fixture.agenda(), [hold.interval])
            try await fixture.hold(in: StoreFixture.second, key: "k")
            try await fixture.store.release(hold: hold.id)
            try await fixture.hold(1_800, key: "k")
        },
        Self("a key that was voided or used makes no hold") { fixture in
            try await fixture.book(0, key: "used")
            try await fixture.void("voided", in: StoreFixture.first)
            try await fixture.void("voided in all")
            let hold = try await fixture.hold(3_600, key: "later")
            try await fixture.void("later")
            for key in ["voided", "voided in all", "later"] {
                try await expectError(.keyVoided) { try await fixture.hold(3_600, key: key) }
            }
            try await expectError(.idempotencyConflict) {
                try await fixture.hold(7_200, key: "used")
            }
            try await fixture.store.release(hold: hold.id)
            try expectEqual(try await fixture.agenda().count, 1)
            try await fixture.hold(in: StoreFixture.second, key: "voided")
            // A booking may have the key of a hold.
            try await fixture.hold(10_800, key: "both")
            try await fixture.book(14_400, key: "both")
        },
        Self("a hold that its check rejects takes nothing") { fixture in
            try await expectError(.ruleOfTest) {
                try await fixture.store.hold(
                    StoreFixture.booking(),
                    seconds: 300
                ) { _ in throw Problem.ruleOfTest }
            }
            let unknown = SalonID(high: 9, low: 9)
            try await expectError(.salonNotFound(unknown)) { try await fixture.hold(in: unknown) }
            try await fixture.book()
        },
    ]

    private static let converting: [Self] = [
        Self("a plan that needs a hold is rejected without an active one") { fixture in
            let hold = try await fixture.hold()
            func book(_ id: String?) async throws(Problem) {
                let booking = StoreFixture.booking(hold: id)
                try await fixture.store.book(booking, as: nil) { salon in
                    var plan = try BookingPlan(minutes: 30, at: salon)
                    plan.errorWithoutHold = Problem.ruleOfTest
                    return plan
                }
            }
            for id in [nil, "unknown"] {
                try await expectError(.ruleOfTest) { try await book(id) }
            }
            try await book(hold.id)
            try expectEqual(try await fixture.appointments().count, 1)
            try await expectError(.ruleOfTest) { try await book(hold.id) }
        },
        Self("times are stored with the offset of the salon's time zone") { fixture in
            let zone = ZoneID("Test/Zone")
            let rules = ZoneRules(firstOffsetSeconds: -18_000, transitions: [], tail: nil)
            guard let zone, let rules else { throw SpecViolation(description: "no zone") }
            let check: @Sendable (Salon) throws -> BookingPlan = { salon in
                try BookingPlan(for: BookingOptions(), at: salon, on: .zone(zone, rules))
            }
            let request = StoreFixture.booking()
            let expected = AppointmentTime(instant: request.time.instant, offsetMinutes: -300)
            let hold = try await fixture.store.hold(request, seconds: 60, check: check)
            try expectEqual(hold.booking.time, expected)
            let booking = StoreFixture.booking(hold: hold.id)
            let booked = try await fixture.store.book(booking, as: nil, check: check)
            try expectEqual(booked.booking.time, expected)
            let moved = try await fixture.store.change(booked.id, as: nil) { stored, salon in
                stored.booking.time = StoreFixture.booking(3_600).time
                return try salon.map(check)
            }
            try expectEqual(moved.booking.time, expected.advanced(byMinutes: 60))
            try expectEqual(try await fixture.store.appointment(booked.id), moved)
        },
        Self("a hold becomes the booking that names it, with its staff member") { fixture in
            try await addStaff(fixture)
            let options = BookingOptions(serviceID: "cut")
            try await fixture.book(0, options)
            let hold = try await fixture.hold(0, options)
            try expectEqual(hold.hold.staffID, "ana")
            // Cem has less work, but Ana is held.
            let booked = try await fixture.book(0, options, phone: "012345", hold: hold.id)
            try expectEqual(booked.booking.options.staffID, "ana")
            try expectEqual(booked.isStaffAssigned, true)
            try expectEqual(booked.booking.holdID, nil)
            let staff = try await fixture.agenda().compactMap(\.staffID)
            try expectEqual(staff.sorted(), ["ana", "bob"])
            // The hold has ended, and releasing it again changes nothing.
            try await fixture.store.release(hold: hold.id)
            try expectEqual(try await fixture.agenda().count, 2)
        },
        Self("a staff member whom the customer chose for a hold is not assigned") { fixture in
            try await addStaff(fixture)
            let options = BookingOptions(serviceID: "cut", staffID: "1")
            let hold = try await fixture.hold(0, options)
            var other = options
            other.staffID = nil
            let booked = try await fixture.book(0, other, hold: hold.id)
            try expectEqual(booked.booking.options.staffID, "1")
            try expectEqual(booked.isStaffAssigned, false)
        },
        Self("a hold can be booked only by its caller, and as it was made") { fixture in
            try await addStaff(fixture)
            let options = BookingOptions(serviceID: "cut", staffID: "bob")
            let hold = try await fixture.hold(0, options)
            try await expectError(.notYourHold) {
                try await fixture.book(0, options, phone: "67890", hold: hold.id)
            }
            let otherStaff = BookingOptions(serviceID: "cut", staffID: "1")
            for (different, members) in [
                (StoreFixture.booking(1, options, hold: hold.id), ["appointmentTime"]),
                (
                    StoreFixture.booking(0, BookingOptions(staffID: "bob"), hold: hold.id),
                    ["serviceId"]
                ),
                (StoreFixture.booking(0, otherStaff, hold: hold.id), ["staffId"]),
                (
                    StoreFixture.booking(1, hold: hold.id),
                    ["appointmentTime", "serviceId"]
                ),
                (
                    StoreFixture.booking(0, in: StoreFixture.second, hold: hold.id),
                    ["salonId", "serviceId"]
                ),
            ] {
                try await expectError(.holdMismatch(members)) { try await fixture.book(different) }
            }
            try expectEqual(try await fixture.agenda(), [hold.interval])
        },
        Self("a hold is read with what it holds, until a day after it has ended") { fixture in
            try await addStaff(fixture)
            let hold = try await fixture.hold(0, BookingOptions(serviceID: "cut"))
            let read = try await fixture.store.hold(hold.id, visibleTo: .administrator)
            try expectEqual(read, hold)
            try expectEqual(read?.hold.booking?.options.serviceID, "cut")
            // The store chose the staff member.
            try expectEqual(read?.hold.booking?.options.staffID, nil)
            try expectEqual(read?.hold.staffID, hold.booking.options.staffID)
            let salon = StoreFixture.second
            try expectEqual(
                try await fixture.store.hold(hold.id, visibleTo: .staff(of: salon)),
                nil
            )
            try expectEqual(try await fixture.store.hold("none", visibleTo: .administrator), nil)
            try await fixture.store.release(hold: hold.id)
            let ended = try await fixture.store.hold(hold.id, visibleTo: .administrator)
            try expectEqual(ended?.booking, hold.booking)
        },
        Self("a hold of other seats cannot be booked") { fixture in
            try await fixture.putSeats(3)
            let hold = try await fixture.hold(0, BookingOptions(seats: 2))
            try await expectError(.holdMismatch(["seats"])) {
                try await fixture.book(0, hold: hold.id)
            }
            try await fixture.book(0, BookingOptions(seats: 2), hold: hold.id)
            try await fixture.book()
        },
        Self("a booking with an ended hold succeeds if the time is free") { fixture in
            let expired = try await fixture.hold()
            fixture.clock.advance(bySeconds: 300)
            try await fixture.book(hold: expired.id)
            try await expectError(.slotUnavailable) { try await fixture.book(hold: expired.id) }
            let released = try await fixture.hold(3_600)
            try await fixture.store.release(hold: released.id)
            try await fixture.book(3_600, phone: "67890", hold: released.id)
            try await fixture.book(7_200, hold: "none")
        },
        Self("a hold is booked in its last second, and not after it") { fixture in
            let hold = try await fixture.hold()
            fixture.clock.advance(bySeconds: 300)
            try await fixture.book(900, phone: "67890")
            try await expectError(.slotUnavailable) { try await fixture.book(hold: hold.id) }
            let second = try await fixture.hold(3_600)
            fixture.clock.advance(bySeconds: 299)
            try await fixture.book(3_600, hold: second.id)
        },
        Self("if a hold is booked and released while others book, one succeeds") { fixture in
            for round: Int64 in 0..<20 {
                let hold = try await fixture.hold(round * 1_800)
                let results = await concurrently(3) { index -> StoredAppointment? in
                    let time = round * 1_800
                    switch index {
                    case 0: return try await fixture.book(time, hold: hold.id)
                    case 1:
                        try await fixture.store.release(hold: hold.id)
                        return nil
                    default:
                        return try await fixture.book(time, phone: "67890")
                    }
                }
                let booked = results.compactMap { try? $0.get() }
                try expectEqual(booked.count, 1)
                try expectEqual(try await fixture.appointments().count, Int(round) + 1)
            }
        },
    ]
}
