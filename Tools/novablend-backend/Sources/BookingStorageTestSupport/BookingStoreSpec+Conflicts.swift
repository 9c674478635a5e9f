import BookingStorage
import Domain
import DomainTestSupport
import SystemTestSupport

extension BookingStoreSpec {
    static let conflicts: [Self] = [
        Self("parts of any size make up the conflicts, as few as must move") { fixture in
            let now = StoreFixture.now
            let booked = try await bookDays(fixture)
            var salon = StoreFixture.salon(StoreFixture.first)
            salon.seats = 2
            let finder = try SalonConflicts(of: salon, zones: ZonesStub())
            let all = finder.conflicts(
                among: booked.map {
                    SalonConflicts.Booked($0.appointment, minutes: 30, busy: $0.interval)
                },
                now: now
            ).compactMap(\.appointment.id)
            // Everything is booked between two breaks of a day, so each break can be a boundary.
            for size in [40, 60, 100, 1_000] {
                for limit in [1, 7, 1_000] {
                    let conflicts = StoredConflicts(
                        store: fixture.store,
                        salon: salon.id,
                        now: now,
                        partSize: size
                    )
                    let found = try await listed(conflicts, finder, limit: limit)
                    try expectEqual(found.map(\.id).sorted(), all.sorted())
                    let order = found.map { "\($0.booking.time.instant.secondsSince1970) \($0.id)" }
                    try expectEqual(order, order.sorted())
                    try expectEqual(try await conflicts.count(finder), all.count)
                }
            }
        },
        Self("what remains without the conflicts fits, even if a part ends within them") {
            fixture in
            let booked = try await bookDays(fixture)
            var salon = StoreFixture.salon(StoreFixture.first)
            salon.seats = 2
            let finder = try SalonConflicts(of: salon, zones: ZonesStub())
            for size in [1, 2, 3, 5, 8] {
                let conflicts = StoredConflicts(
                    store: fixture.store,
                    salon: salon.id,
                    now: StoreFixture.now,
                    partSize: size
                )
                let found = try await listed(conflicts, finder, limit: 3)
                let ids = Set(found.map(\.id))
                try expectEqual(ids.count, found.count)
                let rest = booked.filter { !ids.contains($0.id) }
                for start in rest.map(\.interval.start) {
                    let overlapping = rest.filter {
                        $0.interval.start <= start && $0.interval.end > start
                    }
                    let seats = overlapping.reduce(0) { $0 + $1.interval.seats }
                    try expect(seats <= 2, "\(seats) seats are taken with parts of \(size)")
                }
            }
        },
    ]

    /// Books up to five seats of the first salon for random times of four days, with a break of a day
    /// after each, and with random buffers.
    private static func bookDays(_ fixture: StoreFixture) async throws -> [StoredAppointment] {
        try await fixture.putSeats(5)
        var random = SeededGenerator(seed: 1)
        var booked: [StoredAppointment] = []
        for _ in 0..<120 {
            let start =
                Int64.random(in: 0..<4, using: &random) * 2 * 86_400
                + Int64.random(in: 0..<96, using: &random) * 300
            let seats = Int.random(in: 1...2, using: &random)
            let before = [0, 0, 5, 120].randomElement(using: &random) ?? 0
            let booking = StoreFixture.booking(start, BookingOptions(seats: seats))
            do {
                booked.append(
                    try await fixture.store.book(booking, as: nil) { salon in
                        var plan = try BookingPlan(minutes: 30, booking.options, at: salon)
                        plan.requirement = Requirement(
                            minutes: 30,
                            bufferBefore: before,
                            bufferAfter: 0,
                            resources: plan.requirement.resources,
                            precision: .grains
                        )
                        return plan
                    }
                )
            } catch {
                guard error == .slotUnavailable else { throw error }
            }
        }
        try expect(booked.count > 70, "only \(booked.count) were booked")
        return booked.sorted {
            ($0.booking.time.instant, $0.id) < ($1.booking.time.instant, $1.id)
        }
    }

    /// The appointments of all conflicts, read in pages.
    private static func listed(
        _ conflicts: StoredConflicts,
        _ finder: SalonConflicts,
        limit: Int
    ) async throws -> [StoredAppointment] {
        var (found, position) = ([StoredAppointment](), StoredConflicts.Position?.none)
        repeat {
            let part = try await conflicts.find(finder, after: position)
            let page = part.found.prefix(limit)
            found += page.map(\.stored)
            position = part.next
            if page.count < part.found.count, let last = page.last {
                position = part.position(after: last)
            }
            // Positions can be passed on as texts.
            if let text = position?.description {
                try expectEqual(StoredConflicts.Position(text), position)
            }
        } while position != nil
        return found
    }
}
