package import BookingStorage
import Contract
import Domain

/// What a check of a requirement uses: a store with two salons that are always open, and a clock.
struct StoreFixture: Sendable {
    static let first = SalonID(high: 1, low: 1)
    static let second = SalonID(high: 2, low: 2)
    /// The time of the clock when the check starts.
    static let now = Timestamp(secondsSince1970: 1_800_000_000)

    let clock: TestClock
    let store: any BookingStore
    let awaitFeed: BookingStoreSpec.FeedWait
    private let makeStore: BookingStoreSpec.StoreFactory

    init(
        _ makeStore: @escaping BookingStoreSpec.StoreFactory,
        _ awaitFeed: @escaping BookingStoreSpec.FeedWait
    ) async throws {
        self.makeStore = makeStore
        self.awaitFeed = awaitFeed
        clock = TestClock(Self.now)
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

    /// `salon` with staff: Ana offers everything, Bob and Cem, whose id is `1`, only haircuts.
    static func staffed(_ salon: Salon) -> Salon {
        var salon = salon
        salon.services = [
            Service(id: "cut", name: "Haircut", minutes: 30),
            Service(
                id: "color",
                name: "Color",
                minutes: 60,
                bufferBefore: 5,
                bufferAfter: 10,
                price: Price(amount: 8_000, currency: "EUR")
            ),
        ]
        salon.staff = [
            StaffMember(id: "ana", name: "Ana"),
            StaffMember(id: "bob", name: "Bob", services: ["cut"]),
            StaffMember(id: "1", name: "Cem", services: ["cut"]),
        ]
        return salon
    }

    /// A booking that starts `seconds` after a day from now.
    static func booking(
        _ seconds: Int64 = 0,
        _ options: BookingOptions = BookingOptions(),
        in salon: SalonID = first,
        phone: String = "12345",
        hold: String? = nil
    ) -> BookingRequest {
        let instant = now.advanced(bySeconds: 86_400 + seconds)
        let time = AppointmentTime(instant: instant, offsetMinutes: 60)
        return BookingRequest(
            salonID: salon,
            time: time,
            phone: phone,
            options: options,
            holdID: hold
        )
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

    private static func keyed(
        _ key: String?,
        _ method: String,
        _ path: String = "/appointments",
        body: String = "b",
        by principal: Principal
    ) -> KeyedRequest? {
        key.map { keyed($0, method, path, body: body, caller: principal.identity) }
    }

    /// Books what the salon offers `seconds` after a day from now: a service, or half an hour.
    @discardableResult
    func book(
        _ seconds: Int64 = 0,
        _ options: BookingOptions = BookingOptions(),
        in salon: SalonID = first,
        phone: String = "12345",
        hold: String? = nil,
        by principal: Principal = .local,
        key: String? = nil
    ) async throws(Problem) -> StoredAppointment {
        let booking = Self.booking(seconds, options, in: salon, phone: phone, hold: hold)
        return try await book(booking, by: principal, key: key)
    }

    /// Books what the salon offers.
    @discardableResult
    func book(
        _ booking: BookingRequest,
        by principal: Principal = .local,
        key: String? = nil
    ) async throws(Problem) -> StoredAppointment {
        let request = Self.keyed(key, "POST", by: principal)
        let check = Self.check(booking)
        return try await store.book(booking, as: request, by: principal, check: check)
    }

    /// Holds what the salon offers `start` seconds after a day from now.
    @discardableResult
    func hold(
        _ start: Int64 = 0,
        _ options: BookingOptions = BookingOptions(),
        in salon: SalonID = first,
        phone: String = "12345",
        seconds: Int64 = 300,
        by principal: Principal = .local,
        key: String? = nil
    ) async throws(Problem) -> StoredHold {
        let booking = Self.booking(start, options, in: salon, phone: phone)
        return try await hold(booking, seconds: seconds, by: principal, key: key)
    }

    /// Holds what the salon offers. With a key, the body of the request consists of the booking and
    /// the duration.
    @discardableResult
    func hold(
        _ booking: BookingRequest,
        seconds: Int64 = 300,
        by principal: Principal = .local,
        key: String? = nil
    ) async throws(Problem) -> StoredHold {
        let body = "\(booking) \(seconds)"
        return try await store.hold(
            booking,
            seconds: seconds,
            as: Self.keyed(key, "POST", "/holds", body: body, by: principal),
            by: principal,
            check: Self.check(booking)
        )
    }

    private static func check(
        _ booking: BookingRequest
    ) -> @Sendable (Salon) throws -> BookingPlan {
        { salon in try BookingPlan(for: booking.options, at: salon, on: .offset(minutes: 0)) }
    }

    /// Moves an appointment to the time of `booking(seconds)`, without rules.
    @discardableResult
    func move(
        _ id: String,
        to seconds: Int64,
        by principal: Principal = .local,
        key: String? = nil
    ) async throws(Problem) -> StoredAppointment {
        let time = Self.booking(seconds).time
        let request = Self.keyed(key, "PATCH", "/appointments/\(id)", by: principal)
        return try await store.change(id, as: request, by: principal) { stored, salon in
            stored.booking.time = time
            let (minutes, options) = (stored.minutes, stored.requestedOptions)
            return try salon.map { try BookingPlan(minutes: minutes, options, at: $0) }
        }
    }

    /// - Parameter caller: Whose key it is; nil for the principal.
    @discardableResult
    func cancel(
        _ id: String,
        by principal: Principal = .local,
        key: String? = nil,
        of caller: Principal? = nil
    ) async throws(Problem) -> StoredAppointment {
        let request = Self.keyed(key, "DELETE", "/appointments/\(id)", by: caller ?? principal)
        return try await store.change(id, as: request, by: principal) { stored, _ in
            stored.status = .cancelled
            return nil
        }
    }

    /// Deletes those of the appointments that have ended, or ended before an earlier instant.
    @discardableResult
    func delete(
        _ ids: [String],
        endedBefore end: Timestamp? = nil
    ) async throws(Problem) -> Int {
        try await store.deleteAppointments(ids, endedBefore: end ?? clock.now)
    }

    /// Gives the first salon this number of seats.
    func putSeats(_ count: Int) async throws(Problem) {
        var salon = Self.salon(Self.first)
        salon.seats = count
        try await store.put(salon, if: .present)
    }

    func void(_ key: String, in salon: SalonID? = nil) async throws(Problem) {
        try await store.void(IdempotencyKey(key), in: salon)
    }

    /// The times that are taken in the first salon, `from` to `to` seconds after a day from now.
    func agenda(from: Int64 = -86_400, to: Int64 = 86_400) async throws -> [BusyInterval] {
        let start = Self.booking().time.instant
        let agenda = try await store.agenda(
            of: Self.first,
            from: start.advanced(bySeconds: from),
            to: start.advanced(bySeconds: to)
        )
        return agenda?.busyIntervals ?? []
    }

    /// All appointments that are visible to a role, read in pages.
    func appointments(
        visibleTo role: Principal.Role = .administrator,
        limit: Int = 1_000
    ) async throws -> [StoredAppointment] {
        var all: [StoredAppointment] = []
        while true {
            let page = try await store.appointments(
                after: all.last?.position,
                limit: limit,
                visibleTo: role
            )
            try expect(page.count <= limit, "a page has \(page.count) elements")
            if page.isEmpty { return all }
            all += page
        }
    }

    func auditEntries() async throws(Problem) -> [AuditEntry] {
        try await store.auditEntries(since: nil, of: nil, limit: 1_000)
    }
}

extension Problem {
    /// The problem that a check of a rule throws.
    package static let ruleOfTest = Problem(.notBookable, "a rule of a test")
}
