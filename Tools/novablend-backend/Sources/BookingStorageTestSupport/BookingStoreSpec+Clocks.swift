import BookingStorage
import Domain

extension BookingStoreSpec {
    private static let day: Int64 = 86_400
    private static let month = 30 * day

    /// The requirements on stores whose clock was wrong for some time.
    static let clocks: [Self] = races + jumps

    private static let jumps: [Self] = [
        Self("a clock is steady a day after it has jumped by more than a day") { fixture in
            // The store has not seen the clock before.
            try await fixture.expectSteady(after: day)
            for seconds in [day, -day] {
                fixture.clock.jump(bySeconds: seconds)
                try expect(try await fixture.store.isClockSteady())
            }
            for seconds in [day + 1, -day - 1, month, -month] {
                fixture.clock.jump(bySeconds: seconds)
                try await fixture.expectSteady(after: day)
                fixture.clock.advance(bySeconds: month)
                try expect(try await fixture.store.isClockSteady())
            }
            // The clock is corrected before the day is over.
            fixture.clock.jump(bySeconds: month)
            try expect(try await !fixture.store.isClockSteady())
            fixture.clock.advance(bySeconds: 3_600)
            fixture.clock.jump(bySeconds: -month)
            try await fixture.expectSteady(after: day)
        },
        Self(
            "a clock is compared with what the database has seen before a restart",
            needsSharedDatabase: true
        ) { fixture in
            try await fixture.expectSteady(after: day)
            // The store records the time once an hour.
            fixture.clock.advance(bySeconds: 3_600)
            try expect(try await fixture.store.isClockSteady())
            fixture.clock.advance(bySeconds: day)
            try await fixture.withAnother { store in
                try expect(try await store.isClockSteady())
            }
            fixture.clock.advance(bySeconds: day + 1)
            try await fixture.withAnother { store in
                try expect(try await !store.isClockSteady())
                fixture.clock.advance(bySeconds: 50_000)
                try expect(try await !store.isClockSteady())
            }
            try await fixture.withAnother { store in
                try await fixture.expectSteady(after: day - 50_000, store)
            }
            fixture.clock.jump(bySeconds: -2 * day)
            try await fixture.withAnother { store in
                try await fixture.expectSteady(after: day, store)
            }
        },
    ]

    private static let races: [Self] = [
        Self("a time is sold once, although the clock was a month ahead for days") { fixture in
            let booked = try await fixture.book(10 * day)
            let other = try await fixture.book(11 * day)
            try await fixture.bookWhileAhead()
            for seconds: Int64 in [0, -1_799, 1_799] {
                let booking = StoreFixture.booking(10 * day + seconds)
                try await expectError(.slotUnavailable) { try await fixture.book(booking) }
                try await expectError(.slotUnavailable) { try await fixture.hold(booking) }
                try await expectError(.slotUnavailable) {
                    try await fixture.move(other.id, to: 10 * day + seconds)
                }
            }
            try await fixture.cancel(booked.id)
            try await fixture.move(other.id, to: 10 * day)
            try await fixture.book(11 * day)
        },
        Self("seats are sold once, although the clock was a month ahead for days") { fixture in
            try await fixture.putSeats(3)
            let start = 10 * day
            try await fixture.book(start, BookingOptions(seats: 2))
            try await fixture.bookWhileAhead()
            try await expectError(.slotUnavailable) {
                try await fixture.book(start, BookingOptions(seats: 2))
            }
            try await fixture.book(start)
            try await expectError(.slotUnavailable) { try await fixture.book(start) }
        },
        Self("staff are booked once, although the clock was a month ahead for days") { fixture in
            try await addStaff(fixture)
            let color = BookingOptions(serviceID: "color")
            try await fixture.book(10 * day, color)
            try await fixture.bookWhileAhead(BookingOptions(serviceID: "cut"))
            try await expectError(.slotUnavailable) { try await fixture.book(10 * day, color) }
        },
        Self("a hold that was deleted while the clock was ahead takes no time") { fixture in
            fixture.clock.jump(bySeconds: month)
            try await fixture.hold(month, seconds: 300)
            fixture.clock.advance(bySeconds: day + 301)
            try expectEqual(try await fixture.store.deleteExpired(limit: 10).holds, 1)
            fixture.clock.jump(bySeconds: -month)
            try await fixture.book(month)
        },
    ]
}

extension StoreFixture {
    /// Checks that the clock is not steady now, and becomes steady after exactly `seconds`.
    fileprivate func expectSteady(
        after seconds: Int64,
        _ other: (any BookingStore)? = nil
    ) async throws {
        let store = other ?? store
        try expect(try await !store.isClockSteady())
        clock.advance(bySeconds: seconds - 1)
        try expect(try await !store.isClockSteady())
        clock.advance(bySeconds: 1)
        try expect(try await store.isClockSteady())
    }

    /// Runs `body` with one more store of the same database, which is opened as after a restart.
    fileprivate func withAnother(_ body: (any BookingStore) async throws -> Void) async throws {
        let other = try await openAnother()
        defer { other.close() }
        try await body(other)
    }

    /// Sets the clock a month ahead for three days, makes enough bookings that stores delete what
    /// has passed, and then corrects the clock.
    fileprivate func bookWhileAhead(_ options: BookingOptions = BookingOptions()) async throws {
        let month: Int64 = 30 * 86_400
        clock.jump(bySeconds: month)
        for day: Int64 in 0..<3 {
            clock.advance(bySeconds: 86_400)
            for slot: Int64 in 0..<30 {
                let seconds = month + (day + 3) * 86_400 + slot * 1_800
                try await book(Self.booking(seconds, options))
            }
        }
        clock.jump(bySeconds: -month)
    }
}
