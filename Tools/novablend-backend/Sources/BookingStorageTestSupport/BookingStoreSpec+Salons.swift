import BookingStorage
import Domain
import DomainTestSupport

extension BookingStoreSpec {
    private static let new = SalonID(high: 0, low: 7)

    static let salons: [Self] = [
        Self("a salon can be created once, and then be replaced") { fixture in
            let salon = StoreFixture.salon(new)
            for condition in [SalonCondition.present, .version([1])] {
                try await expectError(.versionConflict(nil)) {
                    try await fixture.store.put(salon, if: condition)
                }
            }
            var expected = salon
            expected.version = 1
            try expectEqual(try await fixture.store.put(salon, if: .absent), .created(expected))
            try await expectError(.versionConflict(expected)) {
                try await fixture.store.put(salon, if: .absent)
            }
            try await expectError(.versionConflict(expected)) {
                try await fixture.store.put(salon, if: .version([2, 3]))
            }
            expected.name = "renamed"
            let update = try await fixture.store.put(expected, if: .version([3, 1]))
            expected.version = 2
            try expectEqual(update, .replaced(expected))
            try expectEqual(try await fixture.store.salon(new), expected)
        },
        Self("a salon that is created again continues its versions") { fixture in
            let salon = StoreFixture.salon(StoreFixture.first)
            try await fixture.store.deleteSalon(salon.id, if: .version([1]))
            try expectEqual(try await fixture.store.salon(salon.id), nil)
            let again = try await fixture.store.put(salon, if: .absent)
            try expectEqual(again.salon.version, 3)
            if case .replaced = again { throw SpecViolation(description: "it was replaced") }
        },
        Self("a salon is deleted only in the expected version") { fixture in
            let expected = try await fixture.store.salon(StoreFixture.first)
            try await expectError(.versionConflict(expected)) {
                try await fixture.store.deleteSalon(StoreFixture.first, if: .version([2]))
            }
            try await fixture.store.deleteSalon(StoreFixture.first, if: .present)
            try await expectError(.salonNotFound(StoreFixture.first)) {
                try await fixture.store.deleteSalon(StoreFixture.first, if: .present)
            }
            try await expectError(.salonNotFound(StoreFixture.first)) { try await fixture.book() }
        },
        Self("a salon with an active appointment in the future is not deleted") { fixture in
            let cancelled = try await fixture.book()
            try await fixture.cancel(cancelled.id)
            let booked = try await fixture.book()
            let start = booked.booking.time.instant
            fixture.clock.advance(bySeconds: start.seconds(since: StoreFixture.now) - 1)
            try await expectError(.salonHasBookings) {
                try await fixture.store.deleteSalon(StoreFixture.first, if: .present)
            }
            fixture.clock.advance(bySeconds: 1)
            try await fixture.store.deleteSalon(StoreFixture.first, if: .present)
            try expectEqual(try await fixture.store.appointment(booked.id), booked)
            // The appointments of a deleted salon can still be cancelled.
            try await fixture.store.change(booked.id, as: nil) { stored, salon in
                if salon != nil { throw Problem.ruleOfTest }
                stored.status = .cancelled
                return nil
            }
        },
        Self("pages of salons are in the order of the ids, without deleted ones") { fixture in
            for low in 1...5 {
                let salon = StoreFixture.salon(SalonID(high: 5, low: UInt64(6 - low)))
                try await fixture.store.put(salon, if: .absent)
            }
            try await fixture.store.deleteSalon(SalonID(high: 5, low: 3), if: .present)
            for limit in 1...7 {
                var ids: [SalonID] = []
                while true {
                    let page = try await fixture.store.salons(after: ids.last, limit: limit)
                    try expect(page.count <= limit)
                    if page.isEmpty { break }
                    ids += page.map(\.id)
                }
                try expectEqual(
                    ids,
                    [StoreFixture.first, StoreFixture.second]
                        + [1, 2, 4, 5].map { SalonID(high: 5, low: $0) }
                )
            }
        },
    ]
}
