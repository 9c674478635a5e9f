import BookingStorage
import Domain
import DomainTestSupport

/// A random sequence of calls, whose results are compared with those of a model in memory.
public struct RandomHistory {
    private var random: SeededGenerator
    private let makeStore: BookingStoreSpec.StoreFactory
    private let clock = ManualClock(StoreFixture.now)
    private var model = StoreModel(now: StoreFixture.now)
    private var store: any BookingStore

    /// Runs the history that belongs to a seed with an empty database, which is closed and opened
    /// again several times. Throws a ``SpecViolation`` at the first difference.
    public static func check(
        seed: UInt64,
        steps: Int = 300,
        _ makeStore: @escaping BookingStoreSpec.StoreFactory
    ) async throws {
        var history = try await RandomHistory(seed, makeStore)
        defer { history.store.close() }
        for step in 0..<steps {
            do {
                try await history.step()
            } catch let violation as SpecViolation {
                throw SpecViolation(description: "seed \(seed), step \(step): \(violation)")
            }
        }
        try await history.compareAll()
    }

    private init(
        _ seed: UInt64,
        _ makeStore: @escaping BookingStoreSpec.StoreFactory
    ) async throws {
        random = SeededGenerator(state: seed)
        self.makeStore = makeStore
        store = try await makeStore(clock)
    }

    private mutating func step() async throws {
        switch below(20) {
        case 0..<8: try await book()
        case 8..<10:
            let time = randomTime()
            try await change("PATCH", "\(time)") { stored, salon in
                stored.booking.time = time
                guard let salon else { throw RuleError() }
                return try BookingPlan(minutes: stored.minutes, at: salon)
            }
        case 10..<12:
            try await change("DELETE", "") { stored, _ in
                stored.status = .cancelled
                return nil
            }
        case 12: try await void()
        case 13..<17: try await put()
        case 17: try await deleteSalon()
        case 18:
            clock.advance(bySeconds: 3_600)
            model.now = clock.now
        default:
            try await compareAll()
            store.close()
            store = try await makeStore(clock)
        }
    }

    // MARK: Random values

    private mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    private mutating func randomSalon() -> SalonID { SalonID(high: 1, low: UInt64(below(3))) }

    /// One of few times, so that many appointments overlap and some are soon in the past.
    private mutating func randomTime() -> AppointmentTime {
        let instant = StoreFixture.now.advanced(bySeconds: Int64(below(60)) * 1_800)
        return AppointmentTime(instant: instant, offsetMinutes: 60)
    }

    private mutating func randomKey() -> IdempotencyKey {
        IdempotencyKey("k\(below(25))", caller: below(2) == 0 ? "" : "a")
    }

    private mutating func randomRequest(
        _ method: String,
        _ path: String,
        _ body: String
    ) -> KeyedRequest? {
        if below(3) == 0 { return nil }
        return KeyedRequest(key: randomKey(), method: method, path: path, body: Array(body.utf8))
    }

    private mutating func randomCondition() -> SalonCondition {
        [.absent, .present, .version([1, 2]), .version([3, 4, 5])][below(4)]
    }

    // MARK: Calls

    private mutating func book() async throws {
        let booking = BookingRequest(salonID: randomSalon(), time: randomTime(), phone: "12345")
        let minutes = [15, 30, 60, 1_440][below(4)]
        let request = randomRequest("POST", "/", "\(booking)")
        let outcome = try await StoreModel.Outcome { [store] () async throws(StoreError) in
            let stored = try await store.book(booking, as: request) { salon in
                try BookingPlan(minutes: minutes, at: salon)
            }
            return .appointment(stored)
        }
        var id = ""
        if case .appointment(let stored) = outcome { id = stored.id }
        try expectEqual(outcome, model.book(booking, minutes, request, id: id))
    }

    private mutating func change(
        _ method: String,
        _ body: String,
        _ edit: @escaping @Sendable (inout StoredAppointment, Salon?) throws -> BookingPlan?
    ) async throws {
        let ids = model.appointments.keys.sorted() + ["none"]
        let id = ids[below(ids.count)]
        let request = randomRequest(method, "/\(id)", body)
        let outcome = try await StoreModel.Outcome { [store] () async throws(StoreError) in
            .appointment(try await store.change(id, as: request, edit: edit))
        }
        try expectEqual(outcome, model.change(id, request, edit))
    }

    private mutating func void() async throws {
        let key = randomKey()
        let salon = below(2) == 0 ? nil : randomSalon()
        let outcome = try await StoreModel.Outcome { [store] () async throws(StoreError) in
            try await store.void(key, in: salon)
            return .done
        }
        try expectEqual(outcome, model.void(key, in: salon))
    }

    private mutating func put() async throws {
        let salon = StoreFixture.salon(randomSalon(), name: "name \(below(9))")
        let condition = randomCondition()
        let outcome = try await StoreModel.Outcome { [store] () async throws(StoreError) in
            .salon(try await store.put(salon, if: condition).salon)
        }
        try expectEqual(outcome, model.put(salon, if: condition))
    }

    private mutating func deleteSalon() async throws {
        let id = randomSalon()
        let condition = randomCondition()
        let outcome = try await StoreModel.Outcome { [store] () async throws(StoreError) in
            try await store.deleteSalon(id, if: condition)
            return .done
        }
        try expectEqual(outcome, model.deleteSalon(id, if: condition))
    }

    private func compareAll() async throws {
        let stored = try await store.appointments(after: nil, limit: 10_000)
        try expectEqual(Set(stored), Set(model.appointments.values))
        let salons = try await store.salons(after: nil, limit: 10)
        try expectEqual(Set(salons), Set(model.salons.values))
        for salon in salons {
            let agenda = try await store.agenda(
                of: salon.id,
                from: clock.now,
                to: clock.now.advanced(bySeconds: 86_400)
            )
            let active = stored.filter { stored in
                stored.status == .booked && stored.booking.salonID == salon.id
                    && stored.interval.end > clock.now
                    && stored.interval.start < clock.now.advanced(bySeconds: 86_400)
            }
            try expectEqual(Set(agenda?.busyIntervals ?? []), Set(active.map(\.interval)))
        }
    }
}

/// A sequence that depends on the seed only (SplitMix64).
private struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
