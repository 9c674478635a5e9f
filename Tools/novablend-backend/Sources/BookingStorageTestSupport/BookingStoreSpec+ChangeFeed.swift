import BookingStorage
import Domain
import DomainTestSupport

extension BookingStoreSpec {
    /// The requirements on the feed of changes.
    public static let changeFeed: [Self] = [
        Self("a position has only later changes after it") { fixture in
            let first = try await fixture.latestChange()
            try expectEqual(try await fixture.changes(after: first), [])
            let booked = try await fixture.book()
            let second = try await fixture.latestChange()
            try expectEqual(try await fixture.changes(after: first), [.appointment(booked)])
            try expectEqual(try await fixture.changes(after: second), [])
            let salon = StoreFixture.salon(StoreFixture.first, name: "new")
            let put = try await fixture.store.put(salon, if: .present).salon
            try expectEqual(
                try await fixture.changes(after: first),
                [.appointment(booked), .salon(put)]
            )
            try expectEqual(try await fixture.changes(after: second), [.salon(put)])
            try await expectTooOld(fixture) { $0.number = .max }
        },
        Self("what has changed several times occurs once, as it is now") { fixture in
            let start = try await fixture.latestChange()
            let booked = try await fixture.book()
            try await fixture.store.deleteSalon(StoreFixture.second, if: .present)
            try await fixture.move(booked.id, to: 3_600)
            let cancelled = try await fixture.cancel(booked.id)
            try expectEqual(
                try await fixture.changes(after: start),
                [.deletedSalon(StoreFixture.second), .appointment(cancelled)]
            )
            let salon = StoreFixture.salon(StoreFixture.second, name: "again")
            let again = try await fixture.store.put(salon, if: .absent).salon
            try expectEqual(
                try await fixture.changes(after: start),
                [.appointment(cancelled), .salon(again)]
            )
        },
        Self("pages of any size make up all changes in their order") { fixture in
            let start = try await fixture.latestChange()
            var expected: [StoredChange.Element] = []
            for slot in 0..<7 {
                expected.append(.appointment(try await fixture.book(Int64(slot) * 3_600)))
                if slot % 3 == 0 {
                    let salon = StoreFixture.salon(SalonID(high: 3, low: UInt64(slot)))
                    let put = try await fixture.store.put(salon, if: .absent).salon
                    expected.append(.salon(put))
                }
            }
            for limit in 1...12 {
                let found = try await fixture.changes(after: start, limit: limit)
                try expectEqual(found, expected)
            }
        },
        Self("an import of many salons is a change of each salon that differs") { fixture in
            let start = try await fixture.latestChange()
            let salons = (0..<25).map { StoreFixture.salon(SalonID(high: 3, low: UInt64($0))) }
            let existing = StoreFixture.salon(StoreFixture.first)
            let result = try await fixture.store.importSalons(salons + [existing])
            try expectEqual(result.created.count, 25)
            let found = try await fixture.changes(after: start, limit: 4)
            try expectEqual(found, result.created.map { .salon($0) })
        },
        Self("what changes neither salons nor appointments has no position") { fixture in
            let booked = try await fixture.book(key: "k")
            let start = try await fixture.latestChange()
            let hold = try await fixture.hold(7_200)
            try await fixture.store.release(hold: hold.id)
            try await fixture.void("other")
            try expectEqual(try await fixture.book(key: "k"), booked)
            try await expectError(.slotUnavailable) { try await fixture.book() }
            var preview = SalonImport.Options()
            preview.isDryRun = true
            let salon = StoreFixture.salon(StoreFixture.first, name: "preview")
            _ = try await fixture.store.importSalons([salon], preview)
            try expectEqual(try await fixture.latestChange(), start)
        },
        Self("a deleted appointment occurs once, with who had it") { fixture in
            let start = try await fixture.latestChange()
            let first = try await fixture.book()
            let second = try await fixture.book(1_800)
            let middle = try await fixture.latestChange()
            var follower = try await ChangeFollower(fixture.store)
            fixture.clock.advance(bySeconds: 3 * 86_400)
            try await fixture.delete([first.id])
            let deleted = StoredChange.Element.deletedAppointment(
                DeletedAppointment(id: first.id, salonID: StoreFixture.first, caller: "12345")
            )
            try expectEqual(try await fixture.changes(after: middle), [deleted])
            try expectEqual(
                try await fixture.changes(after: start),
                [.appointment(second), deleted]
            )
            try await follower.follow(fixture.store)
            try await follower.compare(with: fixture.store)
        },
        Self("positions are too old once the row of a later deletion is deleted") { fixture in
            let first = try await fixture.book()
            let start = try await fixture.latestChange()
            let second = try await fixture.book(1_800)
            fixture.clock.advance(bySeconds: 3 * 86_400)
            try await fixture.delete([first.id, second.id])
            let deletion = try await fixture.latestChange()
            let last = try await fixture.book(10 * 86_400)
            fixture.clock.advance(bySeconds: DeletedAppointment.retentionSeconds)
            _ = try await fixture.store.deleteExpired(limit: 10)
            try expectEqual(try await fixture.changes(after: start).count, 3)
            fixture.clock.advance(bySeconds: 1)
            _ = try await fixture.store.deleteExpired(limit: 10)
            try await expectTooOld(fixture) { $0 = start }
            try expectEqual(try await fixture.changes(after: deletion), [.appointment(last)])
            let end = try await fixture.latestChange()
            try expectEqual(try await fixture.changes(after: end), [])
        },
        Self("a page has what is visible, and its position is after the rest") { fixture in
            let start = try await fixture.latestChange()
            for slot in 0..<9 {
                let booking = StoreFixture.booking(
                    Int64(slot) * 3_600,
                    in: slot % 2 == 0 ? StoreFixture.first : StoreFixture.second,
                    phone: slot % 3 == 0 ? "0 67-890" : "12345"
                )
                try await fixture.book(booking)
            }
            let salon = StoreFixture.salon(StoreFixture.second, name: "new")
            try await fixture.store.put(salon, if: .present)
            try await fixture.book(86_400, phone: "99999")
            let end = try await fixture.latestChange()
            let all = try await fixture.changes(after: start)
            for role in [
                Principal.Role.customer(phone: "67890"), .staff(of: StoreFixture.first),
                .customer(phone: "1"), .administrator,
            ] {
                let visible = all.filter { element in
                    role.includes(StoredChange(cursor: start, element: element))
                }
                try expect(!visible.isEmpty)
                for limit in 1...6 {
                    let found = try await fixture.changes(
                        after: start,
                        limit: limit,
                        visibleTo: role
                    )
                    try expectEqual(found, visible)
                }
                let page = try await fixture.store.changes(
                    after: start,
                    limit: 100,
                    visibleTo: role
                )
                try expectEqual(page.cursor, end)
            }
        },
        Self("a page of one kind has its changes, and its position is after the others") {
            fixture in
            let start = try await fixture.latestChange()
            var expected: [ChangeKinds: [StoredChange.Element]] = [.salons: [], .appointments: []]
            for slot in 0..<9 {
                let booked = try await fixture.book(Int64(slot) * 3_600)
                expected[.appointments]?.append(.appointment(booked))
                if slot % 4 != 0 { continue }
                let salon = StoreFixture.salon(SalonID(high: 3, low: UInt64(slot)))
                let put = try await fixture.store.put(salon, if: .absent).salon
                expected[.salons]?.append(.salon(put))
            }
            try await fixture.book(86_400, phone: "99999")
            let end = try await fixture.latestChange()
            for role in [Principal.Role.administrator, .customer(phone: "12345")] {
                for (kinds, elements) in expected {
                    let all = role == .administrator && kinds == .appointments
                    for limit in 1...12 {
                        let (found, cursor) = try await fixture.changes(
                            after: start,
                            limit: limit,
                            in: ChangeScope(role, kinds)
                        )
                        try expectEqual(Array(found.prefix(elements.count)), elements)
                        try expectEqual(found.count, elements.count + (all ? 1 : 0))
                        try expectEqual(cursor, end)
                    }
                }
            }
        },
        Self("a position of a different history is too old") { fixture in
            try await expectTooOld(fixture) { $0.epoch += "0" }
            try await expectTooOld(fixture) { $0.epoch = "" }
        },
        Self(
            "nothing is skipped while two stores make changes",
            needsSharedDatabase: true
        ) { fixture in
            let other = try await fixture.openAnother()
            defer { other.close() }
            var follower = try await ChangeFollower(fixture.store)
            try await withThrowingTaskGroup { group in
                for (index, store) in [fixture.store, other].enumerated() {
                    for client in 0..<8 {
                        group.addTask {
                            try await makeChanges(store, number: Int64(index * 8 + client))
                        }
                    }
                }
                // A search that overlooked an uncommitted change would never see it.
                for _ in 0..<200 { try await follower.follow(fixture.store, limit: 3) }
                try await group.waitForAll()
            }
            try await fixture.awaitFeed()
            try await follower.follow(other)
            try expectEqual(follower.appointments.count, 16 * 10)
            try await follower.compare(with: fixture.store)
        },
    ]

    /// Books and cancels ten times that no other client books.
    private static func makeChanges(_ store: any BookingStore, number: Int64) async throws {
        for slot: Int64 in 0..<10 {
            let booking = StoreFixture.booking((number * 10 + slot) * 3_600)
            let booked = try await store.book(booking, as: nil, minutes: 30)
            if slot % 2 == 0 { continue }
            _ = try await store.change(booked.id, as: nil) { stored, _ in
                stored.status = .cancelled
                return nil
            }
        }
    }

    private static func expectTooOld(
        _ fixture: StoreFixture,
        _ change: (inout ChangeCursor) -> Void
    ) async throws {
        var cursor = try await fixture.latestChange()
        change(&cursor)
        try await expectError(.cursorTooOld) {
            try await fixture.store.changes(after: cursor, limit: 9)
        }
    }
}

extension StoreFixture {
    fileprivate func latestChange() async throws -> ChangeCursor {
        try await awaitFeed()
        return try await store.changes(after: nil, limit: 0).cursor
    }

    /// All changes after a position, and the position after them, read in pages until one says that
    /// there are no more.
    fileprivate func changes(
        after cursor: ChangeCursor,
        limit: Int,
        in scope: ChangeScope
    ) async throws -> ([StoredChange.Element], ChangeCursor) {
        try await awaitFeed()
        var (all, cursor) = ([StoredChange.Element](), cursor)
        while true {
            let page = try await store.changes(after: cursor, limit: limit, in: scope)
            all += page.changes.map(\.element)
            cursor = page.cursor
            if !page.hasMore { return (all, cursor) }
            try expectEqual(page.changes.count, limit)
        }
    }

    /// All changes after a position, read in pages.
    fileprivate func changes(
        after cursor: ChangeCursor,
        limit: Int = 100,
        visibleTo role: Principal.Role = .administrator
    ) async throws -> [StoredChange.Element] {
        try await awaitFeed()
        var (all, cursor) = ([StoredChange.Element](), cursor)
        while true {
            let page = try await store.changes(after: cursor, limit: limit, visibleTo: role)
            if page.cursor == cursor { return all }
            try expect(!page.changes.isEmpty && page.changes.count <= limit)
            all += page.changes.map(\.element)
            cursor = page.cursor
        }
    }
}
