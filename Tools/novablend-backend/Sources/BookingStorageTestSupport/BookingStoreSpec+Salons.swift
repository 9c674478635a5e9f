import BookingStorage
import Domain
import DomainTestSupport

extension BookingStoreSpec {
    private static let new = SalonID(high: 0, low: 7)

    private static func hasFailed(_ error: StoreError, at version: Int?) -> Bool {
        if case .salonConditionFailed(let salon) = error {
            salon?.version == version
        } else {
            false
        }
    }

    static let salons: [BookingStoreSpec] = [
        BookingStoreSpec("a salon can be created once, and then be replaced") { fixture in
            let salon = StoreFixture.salon(new)
            for condition in [SalonCondition.present, .version([1])] {
                try await expectError { () async throws(StoreError) in
                    _ = try await fixture.store.put(salon, if: condition)
                } matches: {
                    hasFailed($0, at: nil)
                }
            }
            var expected = salon
            expected.version = 1
            try expectEqual(
                try await fixture.store.put(salon, if: .absent),
                .created(expected)
            )
            try await expectError { () async throws(StoreError) in
                _ = try await fixture.store.put(salon, if: .absent)
            } matches: {
                hasFailed($0, at: 1)
            }
            try await expectError { () async throws(StoreError) in
                _ = try await fixture.store.put(salon, if: .version([2, 3]))
            } matches: {
                hasFailed($0, at: 1)
            }
            expected.name = "renamed"
            let update = try await fixture.store.put(expected, if: .version([3, 1]))
            expected.version = 2
            try expectEqual(update, .replaced(expected))
            try expectEqual(try await fixture.store.salon(new), expected)
        },
        BookingStoreSpec("a salon that is created again continues its versions") { fixture in
            let salon = StoreFixture.salon(StoreFixture.first)
            try await fixture.store.deleteSalon(salon.id, if: .version([1]))
            try expectEqual(try await fixture.store.salon(salon.id), nil)
            let again = try await fixture.store.put(salon, if: .absent)
            try expectEqual(again.salon.version, 3)
            if case .replaced = again { throw SpecViolation(description: "it was replaced") }
        },
        BookingStoreSpec("a salon is deleted only in the expected version") { fixture in
            try await expectError { () async throws(StoreError) in
                try await fixture.store.deleteSalon(StoreFixture.first, if: .version([2]))
            } matches: {
                hasFailed($0, at: 1)
            }
            try await fixture.store.deleteSalon(StoreFixture.first, if: .present)
            try await expectError(.salonNotFound(StoreFixture.first)) {
                () async throws(StoreError) in
                try await fixture.store.deleteSalon(StoreFixture.first, if: .present)
            }
            try await expectError { () async throws(StoreError) in
                try await fixture.book()
            } matches: {
                if case .salonNotFound = $0 { true } else { false }
            }
        },
        BookingStoreSpec("a salon with an active appointment in the future is not deleted") {
            fixture in
            let cancelled = try await fixture.book()
            try await fixture.cancel(cancelled.id)
            let booked = try await fixture.book()
            let start = booked.booking.time.instant
            fixture.clock.advance(bySeconds: start.seconds(since: StoreFixture.now) - 1)
            try await expectError(.salonHasBookings) { () async throws(StoreError) in
                try await fixture.store.deleteSalon(StoreFixture.first, if: .present)
            }
            fixture.clock.advance(bySeconds: 1)
            try await fixture.store.deleteSalon(StoreFixture.first, if: .present)
            try expectEqual(try await fixture.store.appointment(booked.id), booked)
            // Its appointments can still be cancelled.
            _ = try await fixture.store.change(booked.id, as: nil) { stored, salon in
                if salon != nil { throw RuleError() }
                stored.status = .cancelled
                return nil
            }
        },
        BookingStoreSpec("pages of salons are in the order of the ids, without deleted ones") {
            fixture in
            for low in 1...5 {
                let salon = StoreFixture.salon(SalonID(high: 5, low: UInt64(6 - low)))
                _ = try await fixture.store.put(salon, if: .absent)
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
