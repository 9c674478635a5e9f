import BookingStorage
import Domain
import SystemTestSupport

/// A random sequence of calls, whose results are compared with those of a model in memory.
public struct RandomHistory {
    private var random: RandomValues
    private let makeStore: BookingStoreSpec.StoreFactory
    private let awaitFeed: BookingStoreSpec.FeedWait
    private let clock = TestClock(StoreFixture.now)
    private var model = StoreModel(now: StoreFixture.now)
    private var store: any BookingStore
    private let occupiedGrains: BookingStoreSpec.OccupancyReader?
    /// A copy that follows the changes from a random step on.
    private var follower: ChangeFollower?

    /// Runs the history that belongs to a seed with an empty database, which is closed and opened
    /// again several times. If `followsChanges`, the feed of changes is checked after each step.
    /// Without `occupiedGrains`, the occupied grains are not compared. Throws a ``SpecViolation`` at
    /// the first difference.
    public static func check(
        seed: UInt64,
        steps: Int = 400,
        followsChanges: Bool = false,
        awaitFeed: @escaping BookingStoreSpec.FeedWait = {},
        _ makeStore: @escaping BookingStoreSpec.StoreFactory,
        occupiedGrains: BookingStoreSpec.OccupancyReader? = nil
    ) async throws {
        var history = try await RandomHistory(seed, makeStore, awaitFeed, occupiedGrains)
        defer { history.store.close() }
        let firstFollowed = followsChanges ? history.random.below(steps) : steps
        var place = ""
        do {
            for step in 0..<steps {
                place = "step \(step)"
                try await history.step()
                if step >= firstFollowed { try await history.followChanges() }
            }
            place = "at the end"
            try await history.compareAll()
        } catch let violation as SpecViolation {
            throw SpecViolation(description: "seed \(seed), \(place): \(violation)")
        }
    }

    private init(
        _ seed: UInt64,
        _ makeStore: @escaping BookingStoreSpec.StoreFactory,
        _ awaitFeed: @escaping BookingStoreSpec.FeedWait,
        _ occupiedGrains: BookingStoreSpec.OccupancyReader?
    ) async throws {
        random = RandomValues(seed: seed, clock: clock)
        self.makeStore = makeStore
        self.awaitFeed = awaitFeed
        self.occupiedGrains = occupiedGrains
        store = try await makeStore(clock)
    }

    private mutating func step() async throws {
        switch random.below(34) {
        case 0..<10: try await book()
        case 10..<14: try await move()
        case 14..<16:
            try await change("DELETE", "") { stored, _ in
                stored.status = .cancelled
                return nil
            }
        case 16: try await void()
        case 17..<20: try await put()
        case 20: try await deleteSalon()
        case 21..<27: try await hold()
        case 27: try await release()
        case 28: advanceClock(bySeconds: [1, 299, 301, 3_600, 90_000][random.below(5)])
        case 29, 30: advanceClock(bySeconds: 100)
        case 31: try await deleteEnded()
        case 32: try await setClock()
        default:
            try await compareAll()
            store.close()
            store = try await makeStore(clock)
        }
    }

    private mutating func advanceClock(bySeconds seconds: Int64) {
        clock.advance(bySeconds: seconds)
        model.now = clock.now
    }

    /// Sets the clock ahead, or corrects it.
    private mutating func setClock() async throws {
        let isAhead = clock.isAhead
        if isAhead {
            // A hold that has ended would be active again, although its time may have been taken.
            advanceClock(bySeconds: 90_000)
            _ = try await store.deleteExpired(limit: 1_000)
            model.deleteExpiredHolds()
        }
        clock.jump(bySeconds: (isAhead ? -10 : 10) * 86_400)
        model.now = clock.now
    }

    private mutating func book() async throws {
        var booking = random.booking()
        if random.below(2) == 0, let hold = model.holds.randomElement(using: &random) {
            if random.below(4) > 0 { booking = hold.booking }
            if random.below(3) == 0 { booking.options = hold.requestedOptions }
            if random.below(5) == 0 { booking.phone = random.phone() }
            booking.holdID = hold.id
        }
        let request = random.request("POST", "/", "\(booking)")
        let check = check(booking, minutes: [15, 30, 60, 1_440][random.below(4)])
        let outcome = try await StoreModel.Outcome { [store, booking] in
            .appointment(try await store.book(booking, as: request, check: check))
        }
        var id = ""
        if case .appointment(let stored) = outcome { id = stored.id }
        try expectEqual(
            outcome,
            StoreModel.Outcome(of: { try model.book(booking, request, id: id, check) })
        )
    }

    private mutating func hold() async throws {
        var booking = random.booking()
        if random.below(3) == 0, let earlier = model.holds.randomElement(using: &random) {
            booking = earlier.booking
            booking.options = earlier.requestedOptions
        }
        let seconds = [300, 300, 900][random.below(3)] as Int64
        let request = random.request("POST", "/holds", "\(booking) \(seconds)")
        let check = check(booking, minutes: 30)
        let outcome = try await StoreModel.Outcome { [store, booking] in
            .hold(try await store.hold(booking, seconds: seconds, as: request, check: check))
        }
        var id = ""
        if case .hold(let hold) = outcome { id = hold.id }
        try expectEqual(
            outcome,
            StoreModel.Outcome(of: {
                try model.hold(booking, seconds: seconds, request, id: id, check)
            })
        )
    }

    private mutating func release() async throws {
        // It depends on the store whether it still knows a hold that ended more than a day ago.
        let earliest = clock.now.advanced(bySeconds: -StoredHold.retentionSeconds)
        let known = model.holds.filter { $0.expiresAt >= earliest }
        let id = known.randomElement(using: &random)?.id ?? "none"
        let outcome = try await StoreModel.Outcome { [store] in
            try await store.release(hold: id)
            return .done
        }
        try expectEqual(outcome, StoreModel.Outcome(of: { try model.release(hold: id) }))
    }

    private func check(
        _ booking: BookingRequest,
        minutes: Int
    ) -> @Sendable (Salon) throws -> BookingPlan {
        { salon in
            if booking.options.serviceID == nil {
                return try BookingPlan(minutes: minutes, booking.options, at: salon)
            }
            return try BookingPlan(for: booking.options, at: salon, on: .offset(minutes: 0))
        }
    }

    private mutating func move() async throws {
        let time = random.time()
        let options = random.below(3) == 0 ? random.options() : nil
        try await change("PATCH", "\(time) \(String(describing: options))") { stored, salon in
            guard let salon else { throw Problem.ruleOfTest }
            stored.booking.time = time
            if let options {
                stored.booking.options = options
                stored.isStaffAssigned = false
            }
            return try BookingPlan(
                minutes: min(stored.minutes, 60),
                stored.requestedOptions,
                at: salon
            )
        }
    }

    private mutating func change(
        _ method: String,
        _ body: String,
        _ edit: @escaping @Sendable (inout StoredAppointment, Salon?) throws -> BookingPlan?
    ) async throws {
        let ids = model.appointments.keys.sorted() + ["none"]
        let id = ids[random.below(ids.count)]
        let request = random.request(method, "/\(id)", body)
        let outcome = try await StoreModel.Outcome { [store] in
            .appointment(try await store.change(id, as: request, edit: edit))
        }
        try expectEqual(outcome, StoreModel.Outcome(of: { try model.change(id, request, edit) }))
    }

    private mutating func void() async throws {
        let key = random.key()
        let salon = random.below(2) == 0 ? nil : random.salon()
        let outcome = try await StoreModel.Outcome { [store] in
            try await store.void(key, in: salon)
            return .done
        }
        try expectEqual(outcome, StoreModel.Outcome(of: { try model.void(key, in: salon) }))
    }

    /// Deletes some of the appointments that ended before a time: now, an hour ago, or a day ago.
    private mutating func deleteEnded() async throws {
        let end = clock.now.advanced(bySeconds: [0, -3_600, -86_400][random.below(3)])
        let ended = model.endedAppointments(before: end)
        let page = try await store.endedAppointments(before: end, after: nil, limit: 10_000)
        try expectEqual(Set(page.ids), ended)
        let deleted = model.appointments.keys.sorted().filter { _ in random.below(3) > 0 }
        let count = try await store.deleteAppointments(deleted, endedBefore: end)
        try expectEqual(count, ended.intersection(deleted).count)
        model.delete(ended.intersection(deleted))
    }

    private mutating func put() async throws {
        var salon = StoreFixture.salon(random.salon(), name: "name \(random.below(9))")
        switch random.below(4) {
        case 0: salon.seats = 1 + random.below(4)
        case 1: break
        default: salon = StoreFixture.staffed(salon)
        }
        let condition = random.condition()
        let outcome = try await StoreModel.Outcome { [store] in
            .salon(try await store.put(salon, if: condition).salon)
        }
        try expectEqual(outcome, StoreModel.Outcome(of: { try model.put(salon, if: condition) }))
    }

    private mutating func deleteSalon() async throws {
        let id = random.salon()
        let condition = random.condition()
        let outcome = try await StoreModel.Outcome { [store] in
            try await store.deleteSalon(id, if: condition)
            return .done
        }
        try expectEqual(
            outcome,
            StoreModel.Outcome(of: { try model.deleteSalon(id, if: condition) })
        )
    }

    private mutating func followChanges() async throws {
        try await awaitFeed()
        var follower =
            if let follower { follower } else { try await ChangeFollower(store) }
        try await follower.follow(store, limit: [1, 2, 100][random.below(3)])
        try expectEqual(follower.salons, model.salons)
        try expectEqual(follower.appointments, model.appointments)
        self.follower = follower
    }

    private func compareAll() async throws {
        let stored = try await store.appointments(after: nil, limit: 10_000)
        try expectEqual(Set(stored), Set(model.appointments.values))
        let salons = try await store.salons(after: nil, limit: 10)
        try expectEqual(Set(salons), Set(model.salons.values))
        for salon in salons {
            let end = clock.now.advanced(bySeconds: 86_400)
            let agenda = try await store.agenda(of: salon.id, from: clock.now, to: end)
            let busy = model.busyIntervals(of: salon.id).filter { interval in
                interval.end > clock.now && interval.start < end
            }
            try expectEqual(counts(agenda?.busyIntervals ?? []), counts(busy))
        }
        try compareGrains()
    }

    /// Compares the grains from the latest time of the clock on. Earlier ones may have been deleted.
    private func compareGrains() throws {
        guard let occupiedGrains else { return }
        let first = clock.latest.secondsSince1970 / 300
        let stored = try occupiedGrains(clock.now).filter { $0.grain >= first }
        for (place, owners) in Dictionary(grouping: stored, by: \.place) {
            try expect(owners.count == 1, "\(place) is taken by \(owners)")
        }
        // Which seats an appointment has does not matter.
        let withoutNumbers = stored.map { grain in
            var grain = grain
            if grain.resource.hasPrefix("seat ") { grain.resource = "seat" }
            return grain
        }
        try expectEqual(
            counts(withoutNumbers),
            counts(model.occupiedGrains.filter { $0.grain >= first })
        )
    }

    private func counts<Value: Hashable>(_ values: [Value]) -> [Value: Int] {
        values.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }
}
