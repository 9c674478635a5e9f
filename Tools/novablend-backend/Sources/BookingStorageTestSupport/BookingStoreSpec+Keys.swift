import BookingStorage
import Domain
import DomainTestSupport

extension BookingStoreSpec {
    static let keys: [Self] = repeating + voiding + expiring

    private static let repeating: [Self] = [
        Self("a repeated request gets the first result and changes nothing") { fixture in
            let booked = try await fixture.book(key: "b")
            let moved = try await fixture.move(booked.id, to: 3_600, key: "m")
            let cancelled = try await fixture.cancel(booked.id, key: "c")
            for _ in 0..<2 {
                let again = try await fixture.store.book(
                    StoreFixture.booking(),
                    as: StoreFixture.keyed("b")
                ) { _ in throw Problem.ruleOfTest }
                try expectEqual(again, booked)
                try expectEqual(try await fixture.move(booked.id, to: 3_600, key: "m"), moved)
                try expectEqual(try await fixture.cancel(booked.id, key: "c"), cancelled)
            }
            try expectEqual(try await fixture.appointments(), [cancelled])
        },
        Self("a key belongs to one method, one path, and one body") { fixture in
            try await fixture.book(key: "k")
            for request in [
                StoreFixture.keyed("k", "PUT"), StoreFixture.keyed("k", "POST", "/other"),
                StoreFixture.keyed("k", body: "c"), StoreFixture.keyed("k", body: ""),
            ] {
                try await expectError(.idempotencyConflict) {
                    let booking = StoreFixture.booking(3_600)
                    _ = try await fixture.store.book(booking, as: request, minutes: 30)
                }
            }
            try expectEqual(try await fixture.appointments().count, 1)
        },
        Self("keys of different callers and of different salons are independent") { fixture in
            let booked = try await fixture.book(key: "k")
            let other = try await fixture.store.book(
                StoreFixture.booking(3_600),
                as: StoreFixture.keyed("k", body: "c", caller: "ada"),
                minutes: 30
            )
            let second = try await fixture.book(0, in: StoreFixture.second, key: "k")
            try expectEqual(Set([booked.id, other.id, second.id]).count, 3)
            try expectEqual(try await fixture.book(key: "k"), booked)
        },
    ]

    private static let voiding: [Self] = [
        Self("a voided key can be voided again, but not be used") { fixture in
            for _ in 0..<2 { try await fixture.void("k") }
            try await expectError(.keyVoided) { try await fixture.book(key: "k") }
            let booked = try await fixture.book()
            try await expectError(.keyVoided) { try await fixture.cancel(booked.id, key: "k") }
            try expectEqual(try await fixture.appointments(), [booked])
        },
        Self("a key that was used cannot be voided, and the error has its result") { fixture in
            let booked = try await fixture.book(key: "b")
            let moved = try await fixture.move(booked.id, to: 3_600, key: "m")
            for (key, result) in [("b", booked), ("m", moved)] {
                for salon in [nil, StoreFixture.first] {
                    try await expectError(.keyUsed(result)) {
                        try await fixture.void(key, in: salon)
                    }
                }
            }
        },
        Self("a key can be voided in one salon") { fixture in
            try await fixture.void("k", in: StoreFixture.first)
            try await expectError(.keyVoided) { try await fixture.book(key: "k") }
            try await fixture.book(0, in: StoreFixture.second, key: "k")
        },
        Self("voiding a key in all salons includes those created later") { fixture in
            let new = SalonID(high: 3, low: 3)
            try await fixture.void("k", in: StoreFixture.first)
            try await fixture.void("k")
            try await fixture.store.put(StoreFixture.salon(new), if: .absent)
            for salon in [StoreFixture.first, StoreFixture.second, new] {
                try await expectError(.keyVoided) { try await fixture.book(0, in: salon, key: "k") }
            }
        },
        Self("a key that was used in one salon cannot be voided in all") { fixture in
            try await fixture.void("k", in: StoreFixture.first)
            let booked = try await fixture.book(0, in: StoreFixture.second, key: "k")
            try await expectError(.keyUsed(booked)) { try await fixture.void("k") }
        },
        Self("voiding a key concerns only its caller") { fixture in
            try await fixture.store.void(IdempotencyKey("k", caller: "ada"), in: nil)
            try await fixture.book(key: "k")
        },
    ]

    private static let expiring: [Self] = [
        Self("a key is retained for 60 days after its first use") { fixture in
            let booked = try await fixture.book(key: "k")
            try await fixture.void("v")
            fixture.clock.advance(bySeconds: 60 * 86_400)
            try await fixture.book(3_600, key: "a")
            try expectEqual(try await fixture.book(key: "k"), booked)
            try await expectError(.keyVoided) { try await fixture.book(7_200, key: "v") }
            // The next new key deletes expired ones.
            fixture.clock.advance(bySeconds: 1)
            try await fixture.book(10_800, key: "b")
            try await fixture.book(7_200, key: "v")
            try await expectError(.slotUnavailable) { try await fixture.book(key: "k") }
        }
    ]
}
