import BookingStorage
import Domain

extension BookingStore {
    /// Books half an hour, `slot` half hours after a day from the start of the check.
    @discardableResult
    fileprivate func book(
        _ slot: Int64,
        _ limits: [AppointmentLimit],
        in salon: SalonID = StoreFixture.first,
        phone: String = "12345",
        hold: String? = nil,
        key: String? = nil
    ) async throws(Problem) -> StoredAppointment {
        let booking = StoreFixture.booking(slot * 1_800, in: salon, phone: phone, hold: hold)
        return try await book(booking, as: key.map { StoreFixture.keyed($0) }) { salon in
            try Self.plan(at: salon, limits)
        }
    }

    /// Holds half an hour.
    @discardableResult
    fileprivate func hold(
        _ slot: Int64,
        _ limits: [AppointmentLimit],
        in salon: SalonID = StoreFixture.first,
        phone: String = "12345"
    ) async throws(Problem) -> StoredHold {
        let booking = StoreFixture.booking(slot * 1_800, in: salon, phone: phone)
        return try await hold(booking, seconds: 300) { salon in try Self.plan(at: salon, limits) }
    }

    private static func plan(at salon: Salon, _ limits: [AppointmentLimit]) throws -> BookingPlan {
        var plan = try BookingPlan(minutes: 30, at: salon)
        plan.limits = limits
        return plan
    }
}

extension BookingStoreSpec {
    private static let activeAtSalon = AppointmentLimit(.active, 2, isTotal: false)
    private static let perDayAtSalon = AppointmentLimit(.perDay, 2, isTotal: false)

    static let limits: [Self] = counting + holding + racing

    private static let counting: [Self] = [
        Self("a customer has at most as many active appointments at a salon as a limit says") {
            fixture in
            let limits = [activeAtSalon]
            let booked = try await fixture.store.book(0, limits)
            let keyed = try await fixture.store.book(1, limits, key: "k")
            // The number is the same, however it is written.
            for phone in ["12345", "0123 45"] {
                try await expectError(.tooManyAppointments(activeAtSalon)) {
                    try await fixture.store.book(2, limits, phone: phone)
                }
            }
            try expectEqual(try await fixture.store.book(1, limits, key: "k"), keyed)
            try await fixture.store.book(3, limits, phone: "67890")
            try await fixture.store.book(0, limits, in: StoreFixture.second)
            try await fixture.move(booked.id, to: 9_000)
            try await fixture.cancel(booked.id)
            try await fixture.store.book(2, limits)
            try await expectError(.tooManyAppointments(activeAtSalon)) {
                try await fixture.store.book(6, limits)
            }
            // A booking without limits succeeds, and counts for later ones.
            let last = try await fixture.store.book(6, [])
            try await fixture.cancel(keyed.id)
            try await expectError(.tooManyAppointments(activeAtSalon)) {
                try await fixture.store.book(7, limits)
            }
            try await fixture.cancel(last.id)
            try await fixture.store.book(7, limits)
        },
        Self("an appointment is active until it has ended") { fixture in
            let limits = [AppointmentLimit(.active, 1, isTotal: false)]
            try await fixture.store.book(0, limits)
            fixture.clock.advance(bySeconds: 86_400 + 1_799)
            try await expectError(.tooManyAppointments(limits[0])) {
                try await fixture.store.book(100, limits)
            }
            fixture.clock.advance(bySeconds: 1)
            try await fixture.store.book(100, limits)
        },
        Self("a limit in total counts the appointments at all salons") { fixture in
            let total = AppointmentLimit(.active, 2, isTotal: true)
            let limits = [AppointmentLimit(.active, 1, isTotal: false), total]
            try await fixture.store.book(0, limits)
            try await fixture.store.book(0, limits, in: StoreFixture.second)
            try await expectError(.tooManyAppointments(limits[0])) {
                try await fixture.store.book(1, limits)
            }
            try await expectError(.tooManyAppointments(total)) {
                try await fixture.store.book(1, [total], in: StoreFixture.second)
            }
        },
        Self("a customer books at most as many appointments in a day as a limit says") {
            fixture in
            let limits = [perDayAtSalon]
            let booked = try await fixture.store.book(0, limits)
            try await fixture.move(booked.id, to: 9_000)
            try await fixture.cancel(booked.id)
            fixture.clock.advance(bySeconds: 3_600)
            // Neither its end nor its deletion makes an appointment uncounted.
            let past = try await fixture.store.book(-60, limits)
            try expectEqual(try await fixture.delete([past.id]), 1)
            try await expectError(.tooManyAppointments(perDayAtSalon)) {
                try await fixture.store.book(100, limits)
            }
            fixture.clock.advance(bySeconds: 86_400 - 3_601)
            try await expectError(.tooManyAppointments(perDayAtSalon)) {
                try await fixture.store.book(100, limits)
            }
            fixture.clock.advance(bySeconds: 1)
            try await fixture.store.book(100, limits)
            try await expectError(.tooManyAppointments(perDayAtSalon)) {
                try await fixture.store.book(101, limits)
            }
        },
    ]

    private static let holding: [Self] = [
        Self("a hold counts for the limits of a customer until it ends or is booked") { fixture in
            for kind in AppointmentLimit.Kind.allCases {
                let limits = [AppointmentLimit(kind, 1, isTotal: true)]
                let error = Problem.tooManyAppointments(limits[0])
                let expiring = try await fixture.store.hold(0, limits)
                try await expectError(error) { try await fixture.store.hold(1, limits) }
                try await expectError(error) { try await fixture.store.book(1, limits) }
                try await expectError(error) {
                    try await fixture.store.book(1, limits, in: StoreFixture.second)
                }
                fixture.clock.advance(bySeconds: 300)
                let hold = try await fixture.store.hold(1, limits, in: StoreFixture.second)
                try await expectError(error) {
                    try await fixture.store.book(0, limits, hold: expiring.id)
                }
                let booked = try await fixture.store.book(
                    1,
                    limits,
                    in: StoreFixture.second,
                    hold: hold.id
                )
                try await expectError(error) { try await fixture.store.hold(2, limits) }
                try await fixture.cancel(booked.id)
                fixture.clock.advance(bySeconds: 86_400)
            }
        }
    ]

    private static let racing: [Self] = [
        Self("if requests of a customer race for the last place within a limit, one succeeds") {
            fixture in
            for (index, limit) in allKinds.enumerated() {
                try await raceForLast(limit, phone: "1234\(index + 1)", [fixture.store])
            }
        },
        Self(
            "if two stores race for the last place within a limit, one succeeds",
            needsSharedDatabase: true
        ) { fixture in
            let other = try await fixture.openAnother()
            defer { other.close() }
            for (index, limit) in allKinds.enumerated() {
                let phone = "1234\(index + 1)"
                try await raceForLast(limit, phone: phone, [fixture.store, other])
            }
        },
    ]

    private static let allKinds = AppointmentLimit.Kind.allCases.flatMap { kind in
        [false, true].map { AppointmentLimit(kind, 3, isTotal: $0) }
    }

    /// A customer books up to one less than the limit. Then 24 requests, of which every third is
    /// for a hold, race at the salons for which the limit counts.
    private static func raceForLast(
        _ limit: AppointmentLimit,
        phone: String,
        _ stores: [any BookingStore]
    ) async throws {
        let salons = [StoreFixture.first, StoreFixture.second].prefix(limit.isTotal ? 2 : 1)
        // No two requests are for the same time.
        let start = Int64(phone.suffix(1)) ?? 0
        for slot in 0..<Int64(limit.maximum - 1) {
            try await stores[0].book(start * 100 + slot, [limit], phone: phone)
        }
        let results = await concurrently(24) { index in
            let store = stores[index / 2 % stores.count]
            let (slot, salon) = (start * 100 + 50 + Int64(index), salons[index % salons.count])
            if index % 3 == 0 {
                try await store.hold(slot, [limit], in: salon, phone: phone)
            } else {
                try await store.book(slot, [limit], in: salon, phone: phone)
            }
        }
        try expectEqual(results.count(where: isSuccess), 1)
        for case .failure(let error) in results {
            try expectEqual(error as? Problem, .tooManyAppointments(limit))
        }
    }
}
