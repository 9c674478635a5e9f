import BookingStorage
import Domain
import DomainTestSupport

extension BookingStoreSpec {
    static let customers: [Self] = exporting + erasing

    private static let phone = "+49 (30) 12-34.5/67"
    private static let caller = "49301234567"

    private static func booking(
        _ seconds: Int64,
        in salon: SalonID = StoreFixture.first,
        phone: String = phone
    ) -> BookingRequest {
        var booking = StoreFixture.booking(seconds, in: salon, phone: phone)
        (booking.email, booking.note) = ("ada@example.com", "a note")
        return booking
    }

    private static let exporting: [Self] = [
        Self("the data of a customer includes all forms of the number, and no others") { fixture in
            let store = fixture.store
            let request = StoreFixture.keyed("b")
            let first = try await store.book(booking(0), as: request, minutes: 30)
            let moved = try await fixture.move(first.id, to: 3_600, key: "m")
            let second = try await fixture.book(
                booking(0, in: StoreFixture.second, phone: "0049 30 1234567 ext. 12")
            )
            let hold = try await fixture.hold(booking(7_200))
            let others = ["030 1234567", "+49 30 12345678", "+1 4930 1234567", "12345"]
            for (slot, other) in others.enumerated() {
                let seconds = 20_000 + Int64(slot) * 3_600
                let request = StoreFixture.keyed("b", caller: other)
                try await store.book(booking(seconds, phone: other), as: request, minutes: 30)
            }
            let data = try await store.customerData(of: caller)
            try expectEqual(data.appointments, [moved, second])
            try expectEqual(data.deletedAppointments, [])
            try expectEqual(data.holds.map(\.id), [hold.id])
            try expectEqual(data.requests.map(\.key), ["b", "m"])
            try expectEqual(data.requests.map(\.result), [first, moved])
            try expectEqual(data.requests.map(\.method), ["POST", "PATCH"])
            try expectEqual(data.activeAppointments(at: fixture.clock.now), [moved, second])
            try expect(try await store.customerData(of: "999999").isEmpty)
        },
        Self("numbers are similar if they end with the same six digits or more") { fixture in
            let phones = ["30 1234567", "00 49 30 1234567", "234567", "34567"]
            for (slot, phone) in phones.enumerated() {
                try await fixture.book(booking(Int64(slot) * 3_600, phone: phone))
            }
            try await fixture.book(booking(36_000, phone: "030 1234567"))
            try await fixture.book(booking(72_000, phone: "4930 1234568"))
            let expected = [
                SimilarCaller(caller: "234567", appointments: 1),
                SimilarCaller(caller: "301234567", appointments: 2),
            ]
            try expectEqual(try await fixture.store.callersSimilar(to: caller), expected)
            try expectEqual(
                try await fixture.store.callersSimilar(to: "234567").map(\.caller),
                ["301234567", caller]
            )
            try expectEqual(try await fixture.store.callersSimilar(to: "34567"), [])
        },
    ]

    private static let erasing: [Self] = [
        Self("erasing a customer leaves nothing, and the data of others") { fixture in
            let store = fixture.store
            let first = try await store.book(booking(0), as: StoreFixture.keyed("b"), minutes: 30)
            let other = try await store.book(
                booking(1_800, phone: "030 1234567"),
                as: StoreFixture.keyed("o"),
                minutes: 30
            )
            let deleted = try await fixture.book(booking(-3_600))
            fixture.clock.advance(bySeconds: 86_400)
            try await fixture.delete([deleted.id])
            fixture.clock.advance(bySeconds: 86_400)
            try await fixture.hold(booking(2 * 86_400))
            let before = try await store.customerData(of: caller)
            try expectEqual(before.appointments, [first])
            try expectEqual(before.deletedAppointments.map(\.id), [deleted.id])
            try expectEqual(before.holds.count, 1)
            let erased = try await store.eraseCustomer(caller, cancelsAppointments: false)
            try expectEqual(erased, before)
            try expect(try await store.customerData(of: caller).isEmpty)
            try expectEqual(try await fixture.appointments(), [other])
            try await expectError(.appointmentDeleted) {
                let booking = booking(3 * 86_400)
                _ = try await store.book(booking, as: StoreFixture.keyed("b"), minutes: 30)
            }
            let again = StoreFixture.keyed("o")
            try expectEqual(try await store.book(other.booking, as: again, minutes: 30), other)
            // The time of the hold is free, and the customer can come again.
            try await fixture.book(booking(2 * 86_400))
            try expectEqual(try await store.customerData(of: caller).appointments.count, 1)
        },
        Self("a number of zeros is erased without what remains of erased customers") { fixture in
            let store = fixture.store
            let token = StoredToken(
                id: "0000000000000001",
                role: .customer(phone: caller),
                hash: "hash",
                createdAt: fixture.clock.now
            )
            try await store.create(token)
            let erased = try await fixture.book(booking(0))
            _ = try await store.eraseCustomer(caller, cancelsAppointments: true)
            try expect(try await store.customerData(of: "").isEmpty)
            let request = StoreFixture.keyed("z")
            let booked = try await store.book(
                booking(0, phone: "0000-000"),
                as: request,
                minutes: 30
            )
            let hold = try await fixture.hold(booking(3_600, phone: "+00000"))
            let data = try await store.customerData(of: "")
            try expectEqual(data.appointments, [booked])
            try expectEqual(data.holds, [hold])
            try expectEqual(data.requests.map(\.key), ["z"])
            try expect(data.tokens.isEmpty && data.deletedAppointments.isEmpty)
            try expect(try await store.callersSimilar(to: "").isEmpty)
            try expectEqual(try await store.eraseCustomer("", cancelsAppointments: true), data)
            try expect(try await store.customerData(of: "").isEmpty)
            try expect(booked.id != erased.id)
        },
        Self("a customer whose appointment has not ended is erased only on request") { fixture in
            let store = fixture.store
            let booked = try await fixture.book(booking(0))
            let cancelled = try await fixture.book(booking(7_200))
            try await fixture.cancel(cancelled.id)
            let end = booked.takenUntil
            fixture.clock.advance(bySeconds: end.seconds(since: fixture.clock.now))
            try await expectError(.customerHasAppointments(1)) {
                try await store.eraseCustomer(caller, cancelsAppointments: false)
            }
            try expectEqual(try await store.customerData(of: caller).appointments.count, 2)
            fixture.clock.advance(bySeconds: 1)
            let ended = try await store.eraseCustomer(caller, cancelsAppointments: false)
            try expectEqual(ended.appointments.count, 2)
            let future = try await fixture.book(booking(86_400))
            let erased = try await store.eraseCustomer(caller, cancelsAppointments: true)
            try expectEqual(erased.appointments, [future])
            // The time of the erased appointment is free.
            try await fixture.book(booking(86_400, phone: "12345"))
        },
        Self("keys that a customer has sent with a token are deleted") { fixture in
            let principal = Principal(.customer(phone: caller), tokenID: "t")
            let key = IdempotencyKey("k", caller: principal.identity)
            let request = KeyedRequest(key: key, method: "POST", path: "/", body: [])
            _ = try await fixture.store.book(booking(0), as: request, by: principal) { salon in
                try BookingPlan(minutes: 30, at: salon)
            }
            let voided = IdempotencyKey("v", caller: principal.identity)
            try await fixture.store.void(voided, in: nil, by: principal)
            let before = try await fixture.store.auditEntries(since: nil, of: nil, limit: 100)
            _ = try await fixture.store.eraseCustomer(caller, cancelsAppointments: true)
            // The key was erased, too. A used key could not be voided.
            try await fixture.store.void(key, in: nil, by: principal)
            _ = try await fixture.store.book(
                booking(0),
                as: KeyedRequest(key: voided, method: "POST", path: "/", body: []),
                by: principal
            ) { salon in try BookingPlan(minutes: 30, at: salon) }
            let after = try await fixture.store.auditEntries(since: nil, of: nil, limit: 100)
            let entries = after.dropFirst(before.count)
            try expectEqual(entries.map(\.action), [.erase, .void, .book])
            try expectEqual(entries.first?.kind, .customer)
            try expect(entries.first?.id == nil && entries.first?.role == .command)
        },
        Self("erasing a customer revokes their tokens, and no others") { fixture in
            let now = fixture.clock.now
            func token(_ id: String, _ role: Principal.Role) -> StoredToken {
                StoredToken(id: id, role: role, name: "Ada", hash: "h", createdAt: now)
            }
            let own = token("1", .customer(phone: caller))
            let others = [
                token("2", .customer(phone: "301234567")),
                token("3", .staff(of: StoreFixture.first)), token("4", .administrator),
            ]
            for token in [own] + others { try await fixture.store.create(token) }
            try expectEqual(try await fixture.store.customerData(of: caller).tokens, [own])
            _ = try await fixture.store.eraseCustomer(caller, cancelsAppointments: false)
            let erased = try await fixture.store.token("1")
            try expect(erased?.revokedAt == now && erased?.name == nil)
            try expectEqual(erased?.role, .customer(phone: ""))
            let all = try await fixture.store.tokens(after: nil, limit: 9)
            try expectEqual(all.filter { $0.id != "1" }, others)
        },
    ]
}
