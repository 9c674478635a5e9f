import BookingStorage
import Domain

extension BookingStoreSpec {
    private static let phone = "12345"
    private static let customer = Principal(.customer(phone: phone), tokenID: "c")
    private static let otherCustomer = Principal(.customer(phone: "67890"), tokenID: "o")
    private static let staff = Principal(.staff(of: StoreFixture.first), tokenID: "s")
    private static let otherStaff = Principal(.staff(of: StoreFixture.second), tokenID: "t")

    static let visibility: [Self] = visibleLists + elements + heldTimes

    private static let visibleLists: [Self] = [
        Self("a list has what its reader may see, in pages of any size") { fixture in
            for slot in 0..<8 {
                let salon = slot % 2 == 0 ? StoreFixture.first : StoreFixture.second
                let phone = slot % 3 == 0 ? "67890" : phone
                let booking = StoreFixture.booking(Int64(slot) * 3_600, in: salon, phone: phone)
                let booked = try await fixture.book(booking)
                if slot == 4 { try await fixture.cancel(booked.id) }
            }
            let all = try await fixture.appointments()
            for role in [customer, otherCustomer, staff, otherStaff].map(\.role) {
                var expected = all.filter { role.includes($0.booking) }
                let isCustomer = role == customer.role || role == otherCustomer.role
                if isCustomer { expected.sort { $0.id < $1.id } }
                try expect((2...5).contains(expected.count))
                for limit in 1...6 {
                    let found = try await fixture.appointments(visibleTo: role, limit: limit)
                    try expectEqual(found, expected)
                }
                // A position in the list of all appointments is also valid in the list of any role.
                for position in all.map(\.position) {
                    let found = try await fixture.store.appointments(
                        after: position,
                        limit: 9,
                        visibleTo: role
                    )
                    let isAfter = { (stored: StoredAppointment) in
                        isCustomer ? stored.id > position.id : stored.position > position
                    }
                    try expectEqual(found, expected.filter(isAfter))
                }
            }
            let stranger = Principal.Role.customer(phone: "1234")
            try expectEqual(try await fixture.appointments(visibleTo: stranger), [])
            let salon = Principal.Role.staff(of: SalonID(high: 1, low: 2))
            try expectEqual(try await fixture.appointments(visibleTo: salon), [])
        },
        Self("a customer's phone number can be written in any way") { fixture in
            let phones = ["12345", "+12345", "0 12-34/5", "(0)0012.345", "+1 (2) 3-4.5/"]
            for (slot, phone) in phones.enumerated() {
                try await fixture.book(Int64(slot) * 3_600, phone: phone)
            }
            for (day, phone) in ["112345", "123450", "1 234"].enumerated() {
                let booking = StoreFixture.booking(Int64(day + 1) * 86_400, phone: phone)
                try await fixture.book(booking)
            }
            let found = try await fixture.appointments(visibleTo: customer.role)
            try expectEqual(Set(found.map(\.booking.phone)), Set(phones))
        },
    ]

    private static let elements: [Self] = [
        Self("what is not visible cannot be read, changed, or released") { fixture in
            let booked = try await fixture.book()
            let cancelled = try await fixture.book(3_600)
            try await fixture.cancel(cancelled.id)
            let hold = try await fixture.hold(7_200)
            for principal in [otherCustomer, otherStaff] {
                for id in [booked.id, cancelled.id, "none"] {
                    let found = try await fixture.store.appointment(id, visibleTo: principal.role)
                    try expectEqual(found, nil)
                    try await expectError(.appointmentNotFound(id)) {
                        try await fixture.cancel(id, by: principal)
                    }
                }
                try await expectError(.holdNotFound(hold.id)) {
                    try await fixture.store.release(hold: hold.id, by: principal)
                }
            }
            try expectEqual(try await fixture.agenda().count, 2)
            for principal in [customer, staff] {
                let role = principal.role
                let found = try await fixture.store.appointment(booked.id, visibleTo: role)
                try expectEqual(found, booked)
                try await fixture.store.release(hold: hold.id, by: principal)
            }
            let end = try await fixture.cancel(booked.id, by: customer)
            try expectEqual(end.version, 2)
        },
        Self("a key does not reveal an appointment that is not visible") { fixture in
            let booked = try await fixture.book()
            try await fixture.cancel(booked.id, by: customer, key: "k")
            let again = try await fixture.cancel(booked.id, by: customer, key: "k")
            try expectEqual(again.status, .cancelled)
            // The request is rejected even with the key of the caller who may see the appointment.
            try await expectError(.appointmentNotFound(booked.id)) {
                try await fixture.cancel(booked.id, by: otherCustomer, key: "k", of: customer)
            }
        },
    ]

    private static let heldTimes: [Self] = [
        Self("a hold that is not visible does not exist for a booking") { fixture in
            let hold = try await fixture.hold()
            func book(_ seconds: Int64) async throws(Problem) {
                let booking = StoreFixture.booking(seconds, phone: "67890", hold: hold.id)
                try await fixture.book(booking, by: otherCustomer)
            }
            try await expectError(.slotUnavailable) { try await book(0) }
            try await book(3_600)
            try expectEqual(try await fixture.agenda().count, 2)
            try await fixture.book(0, hold: hold.id, by: customer)
            try expectEqual(try await fixture.agenda().count, 2)
        },
        Self("the key of a hold belongs to a caller") { fixture in
            let booking = StoreFixture.booking()
            let held = try await fixture.hold(booking, by: customer, key: "k")
            try expectEqual(try await fixture.hold(booking, by: customer, key: "k"), held)
            let other = StoreFixture.booking(3_600)
            let second = try await fixture.hold(other, by: staff, key: "k")
            try expect(second.id != held.id)
            try await expectError(.idempotencyConflict) {
                try await fixture.hold(other, by: customer, key: "k")
            }
        },
        Self("holds that are not visible do not count") { fixture in
            for slot: Int64 in 0..<3 { try await fixture.hold(slot * 3_600) }
            let booking = StoreFixture.booking(86_400)
            try await expectError(.tooManyHolds(retryAfterSeconds: 300)) {
                try await fixture.hold(booking, by: customer)
            }
            let elsewhere = StoreFixture.booking(86_400, in: StoreFixture.second)
            try await fixture.hold(elsewhere, by: otherStaff)
        },
    ]
}

extension AppointmentPosition {
    fileprivate static func > (first: AppointmentPosition, second: AppointmentPosition) -> Bool {
        (second.salonID.description, second.id) < (first.salonID.description, first.id)
    }
}
