import BookingStorage
import Domain
import DomainTestSupport

/// What a check of a requirement uses: a store with two salons that are always open, and a clock.
struct StoreFixture: Sendable {
    static let first = SalonID(high: 1, low: 1)
    static let second = SalonID(high: 2, low: 2)
    /// The time of the clock when the check starts.
    static let now = Timestamp(secondsSince1970: 1_800_000_000)

    let clock: ManualClock
    let store: any BookingStore
    private let makeStore: BookingStoreSpec.StoreFactory

    init(_ makeStore: @escaping BookingStoreSpec.StoreFactory) async throws {
        self.makeStore = makeStore
        clock = ManualClock(Self.now)
        store = try await makeStore(clock)
        _ = try await store.importSalons([Self.salon(Self.first), Self.salon(Self.second)])
    }

    /// One more store with the same database.
    func openAnother() async throws -> any BookingStore { try await makeStore(clock) }

    static func salon(_ id: SalonID, name: String = "n") -> Salon {
        let midnight = TimeOfDay(minuteOfDay: 0)
        let hours = OpeningHours(opens: midnight, closes: midnight)
        return Salon(id: id, name: name, location: "l", hours: hours)
    }

    /// A booking that starts `seconds` after a day from now.
    static func booking(
        _ seconds: Int64 = 0,
        in salon: SalonID = first,
        phone: String = "12345"
    ) -> BookingRequest {
        let instant = now.advanced(bySeconds: 86_400 + seconds)
        let time = AppointmentTime(instant: instant, offsetMinutes: 60)
        return BookingRequest(salonID: salon, time: time, phone: phone)
    }

    static func keyed(
        _ key: String,
        _ method: String = "POST",
        _ path: String = "/appointments",
        body: String = "b",
        caller: String = ""
    ) -> KeyedRequest {
        KeyedRequest(
            key: IdempotencyKey(key, caller: caller),
            method: method,
            path: path,
            body: Array(body.utf8)
        )
    }

    /// Books half an hour without rules.
    @discardableResult
    func book(
        _ seconds: Int64 = 0,
        in salon: SalonID = first,
        key: String? = nil
    ) async throws(StoreError) -> StoredAppointment {
        let request = key.map { Self.keyed($0) }
        return try await store.book(Self.booking(seconds, in: salon), as: request, minutes: 30)
    }

    /// Moves an appointment to the time of `booking(seconds)`, without rules.
    @discardableResult
    func move(
        _ id: String,
        to seconds: Int64,
        key: String? = nil
    ) async throws(StoreError) -> StoredAppointment {
        let time = Self.booking(seconds).time
        let request = key.map { Self.keyed($0, "PATCH", "/appointments/\(id)") }
        return try await store.change(id, as: request) { stored, salon in
            stored.booking.time = time
            return try salon.map { try BookingPlan(minutes: stored.minutes, at: $0) }
        }
    }

    @discardableResult
    func cancel(_ id: String, key: String? = nil) async throws(StoreError) -> StoredAppointment {
        let request = key.map { Self.keyed($0, "DELETE", "/appointments/\(id)") }
        return try await store.change(id, as: request) { stored, _ in
            stored.status = .cancelled
            return nil
        }
    }

    func void(_ key: String, in salon: SalonID? = nil) async throws(StoreError) {
        try await store.void(IdempotencyKey(key), in: salon)
    }

    /// All appointments, read in pages.
    func appointments(limit: Int = 1_000) async throws -> [StoredAppointment] {
        var all: [StoredAppointment] = []
        while true {
            let page = try await store.appointments(after: all.last?.position, limit: limit)
            try expect(page.count <= limit, "a page has \(page.count) elements")
            if page.isEmpty { return all }
            all += page
        }
    }
}

/// An error that a check of a rule throws.
struct RuleError: Error, Equatable {}
