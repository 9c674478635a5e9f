import BookingStorage
import Domain
import DomainTestSupport

extension BookingStoreSpec {
    private static let day: Int64 = 86_400

    static let retention: [Self] = deleting + expiringRows

    private static let deleting: [Self] = [
        Self("what ended before an instant is deleted, and what ended later is not") { fixture in
            let first = try await fixture.book(0)
            let second = try await fixture.book(1_800)
            let cancelled = try await fixture.book(3_600)
            try await fixture.cancel(cancelled.id)
            fixture.clock.advance(bySeconds: 3 * day)
            let all = [first.id, second.id, cancelled.id]
            let end = second.takenUntil
            for expected in [1, 0] {
                let count = try await fixture.delete(all, endedBefore: end)
                try expectEqual(count, expected)
            }
            try expectEqual(Set(try await fixture.appointments().map(\.id)), Set(all.dropFirst()))
            try expect(try await fixture.store.appointment(first.id) == nil)
            let later = cancelled.takenUntil.advanced(bySeconds: 1)
            try expectEqual(try await fixture.delete(all + ["none"], endedBefore: later), 2)
            try expectEqual(try await fixture.appointments(), [])
        },
        Self("appointments with many grains are not deleted in one transaction") { fixture in
            try await fixture.putSeats(80)
            var ids: [String] = []
            for (number, seats) in [80, 79, 1, 1].enumerated() {
                let options = BookingOptions(seats: seats)
                let booking = StoreFixture.booking(Int64(number) * 7_500, options)
                ids.append(try await fixture.store.book(booking, as: nil, minutes: 125).id)
            }
            fixture.clock.advance(bySeconds: 2 * day)
            try expectEqual(try await fixture.delete(ids), 4)
            try expectEqual(try await fixture.appointments(), [])
            // Each transaction has an entry.
            let entries = try await fixture.store.auditEntries(since: nil, of: nil, limit: 9)
            let count = entries.count { $0.action == .prune }
            // On a slow machine, the last two have a transaction each.
            try expect((3...4).contains(count), "\(count) entries")
        },
        Self("an appointment that has not ended is never deleted") { fixture in
            let booked = try await fixture.book()
            let end = booked.takenUntil
            let future = end.advanced(bySeconds: 1_000 * day)
            fixture.clock.advance(bySeconds: end.seconds(since: fixture.clock.now))
            for expected in [0, 1] {
                let count = try await fixture.delete([booked.id], endedBefore: future)
                try expectEqual(count, expected)
                fixture.clock.advance(bySeconds: 1)
            }
        },
        Self("ended appointments are found in pages of any size") { fixture in
            var ended: Set<String> = []
            for slot: Int64 in 0..<5 {
                let salon = slot % 2 == 0 ? StoreFixture.first : StoreFixture.second
                ended.insert(try await fixture.book(slot * 3_600, in: salon).id)
            }
            let end = StoreFixture.booking(5 * 3_600).time.instant
            for slot: Int64 in 5..<8 { try await fixture.book(slot * 3_600) }
            for limit in 1...9 {
                try expectEqual(try await fixture.endedAppointments(before: end, limit), ended)
            }
            let first = StoreFixture.booking().time.instant.advanced(bySeconds: 1_800)
            try expectEqual(try await fixture.endedAppointments(before: first, 9), [])
        },
        Self("the keys of a deleted appointment remain used, without its data") { fixture in
            let booked = try await fixture.book(key: "b")
            try await fixture.move(booked.id, to: 3_600, key: "m")
            try await fixture.cancel(booked.id, key: "c")
            // A different caller can have the same key.
            let other = StoreFixture.keyed("b", caller: "ada")
            let later = try await fixture.store.book(
                StoreFixture.booking(20 * day),
                as: other,
                minutes: 30
            )
            fixture.clock.advance(bySeconds: 3 * day)
            try expectEqual(try await fixture.delete([booked.id, later.id]), 1)
            for request in [StoreFixture.keyed("b"), StoreFixture.keyed("b", body: "other")] {
                try await expectError(.appointmentDeleted) {
                    let booking = StoreFixture.booking(10 * day)
                    _ = try await fixture.store.book(booking, as: request, minutes: 30)
                }
            }
            try await expectError(.appointmentNotFound(booked.id)) {
                try await fixture.move(booked.id, to: 3_600, key: "m")
            }
            for key in ["b", "m", "c"] {
                for salon in [nil, StoreFixture.first] {
                    try await expectError(.keyUsed(nil)) { try await fixture.void(key, in: salon) }
                }
            }
            let again = try await fixture.store.book(later.booking, as: other, minutes: 30)
            try expectEqual(again, later)
            try expectEqual(try await fixture.appointments(), [later])
        },
        Self(
            "of several stores that delete at once, one deletes each appointment",
            needsSharedDatabase: true
        ) { fixture in
            let other = try await fixture.openAnother()
            defer { other.close() }
            var ids: [String] = []
            for slot: Int64 in 0..<40 { ids.append(try await fixture.book(slot * 1_800).id) }
            fixture.clock.advance(bySeconds: 3 * day)
            let (all, now) = (ids, fixture.clock.now)
            let counts = try await withThrowingTaskGroup(of: Int.self) { group in
                for store in [fixture.store, other, fixture.store, other] {
                    group.addTask { try await store.deleteAppointments(all, endedBefore: now) }
                }
                return try await group.reduce(0, +)
            }
            try expectEqual(counts, 40)
            try expectEqual(try await fixture.appointments(), [])
        },
    ]

    private static let expiringRows: [Self] = [
        Self("holds, keys, and what remains of appointments expire") { fixture in
            for slot: Int64 in 0..<3 { try await fixture.hold(slot * 1_800, seconds: 300) }
            let booked = try await fixture.book(10_800, key: "b")
            try await fixture.void("v", in: StoreFixture.first)
            try await fixture.void("v")
            fixture.clock.advance(bySeconds: 300 + day)
            try expectEqual(try await fixture.expireRows(limit: 10), [0, 0, 0])
            fixture.clock.advance(bySeconds: 1)
            try expectEqual(try await fixture.expireRows(limit: 2), [2, 0, 0])
            try expectEqual(try await fixture.expireRows(limit: 2), [1, 0, 0])
            try expectEqual(try await fixture.expireRows(limit: 2), [0, 0, 0])
            fixture.clock.advance(bySeconds: 58 * day)
            try expectEqual(try await fixture.delete([booked.id]), 1)
            // The last change of all may have to remain.
            try await fixture.book(60 * day)
            fixture.clock.advance(bySeconds: day - 301)
            try expectEqual(try await fixture.expireRows(limit: 10), [0, 0, 0])
            fixture.clock.advance(bySeconds: 1)
            try expectEqual(try await fixture.expireRows(limit: 10), [0, 3, 0])
            fixture.clock.advance(bySeconds: 29 * day + 300)
            try expectEqual(try await fixture.expireRows(limit: 10), [0, 0, 0])
            fixture.clock.advance(bySeconds: 1)
            try expectEqual(try await fixture.expireRows(limit: 10), [0, 0, 1])
            try expectEqual(try await fixture.appointments().count, 1)
        },
        Self("entries of the audit log expire, also those of deletions") { fixture in
            let imported = try await fixture.auditCount()
            let booked = try await fixture.book()
            fixture.clock.advance(bySeconds: 3 * day)
            for _ in 0..<2 { try await fixture.delete([booked.id]) }
            try expectEqual(try await fixture.auditCount(), imported + 1)
            fixture.clock.advance(bySeconds: AuditEntry.retentionSeconds - 3 * day)
            _ = try await fixture.store.deleteExpired(limit: 1)
            try expectEqual(try await fixture.auditCount(), imported + 1)
            fixture.clock.advance(bySeconds: 1)
            try expectEqual(try await fixture.store.expiredRows().auditEntries, imported)
            for rest in (0..<imported).reversed() {
                try expectEqual(try await fixture.store.deleteExpired(limit: 1).auditEntries, 1)
                try expectEqual(try await fixture.auditCount(), rest + 1)
            }
            try expectEqual(try await fixture.store.deleteExpired(limit: 1).auditEntries, 0)
        },
    ]
}

extension StoreFixture {
    /// The ids of all appointments that ended before an instant, found in pages.
    fileprivate func endedAppointments(
        before end: Timestamp,
        _ limit: Int
    ) async throws -> Set<String> {
        var ids: [String] = []
        var position: AppointmentPosition?
        repeat {
            let page = try await store.endedAppointments(before: end, after: position, limit: limit)
            try expect(page.ids.count <= limit)
            ids += page.ids
            position = page.next
        } while position != nil
        try expect(Set(ids).count == ids.count, "an appointment occurs twice: \(ids)")
        return Set(ids)
    }

    fileprivate func auditCount() async throws -> Int {
        try await store.auditEntries(since: nil, of: nil, limit: 100).count
    }

    /// Deletes expired rows. Returns the numbers of holds, keys, and rows of deleted appointments.
    fileprivate func expireRows(limit: Int) async throws -> [Int] {
        let before = try await store.expiredRows()
        let deleted = try await store.deleteExpired(limit: limit)
        var after = try await store.expiredRows()
        after += deleted
        try expectEqual(after, before)
        return [deleted.holds, deleted.keys, deleted.deletedAppointments]
    }
}
