import BookingStorage
import BookingStorageTestSupport
import Domain
import Glibc

/// Requests of many clients at the same time.
enum StoreClients {
    /// A wait that is longer than the calls of a test need on a busy machine, so that no call fails
    /// as overloaded.
    static let waitTimeout = Duration.seconds(120)

    /// Runs `body` for each of `count` numbers at the same time and returns the results.
    static func run<Value: Sendable>(
        _ count: Int,
        _ body: @escaping @Sendable (Int) async throws -> Value
    ) async -> [Result<Value, Problem>] {
        await withTaskGroup(of: Result<Value, Problem>.self) { group in
            for index in 0..<count {
                group.addTask {
                    do {
                        return .success(try await body(index))
                    } catch {
                        return .failure(Problem(error))
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    static let salonID = salonID(1)

    static func salonID(_ number: Int) -> SalonID { SalonID(high: 1, low: UInt64(number)) }

    /// A salon that is always open, with `staff` staff members.
    static func salon(_ id: SalonID = salonID, staff: Int = 0) -> Salon {
        let midnight = TimeOfDay(minuteOfDay: 0)
        let hours = OpeningHours(opens: midnight, closes: midnight)
        var salon = Salon(id: id, name: "n", location: "l", hours: hours)
        salon.staff = (0..<staff).map { StaffMember(id: "s\($0)", name: "n") }
        return salon
    }

    /// Tomorrow at noon, UTC.
    static let noon = Timestamp(secondsSince1970: (Int64(time(nil)) / 86_400 + 1) * 86_400 + 43_200)

    /// A booking that starts `seconds` after noon.
    static func booking(
        _ seconds: Int64 = 0,
        at salonID: SalonID = salonID,
        phone: String = "12345"
    ) -> BookingRequest {
        let start = noon.advanced(bySeconds: seconds)
        return BookingRequest(
            salonID: salonID,
            time: AppointmentTime(instant: start, offsetMinutes: 0),
            phone: phone
        )
    }

    static func keyed(_ key: String) -> KeyedRequest {
        KeyedRequest(key: IdempotencyKey(key), method: "POST", path: "/", body: [])
    }

    @Sendable
    static func check(_ salon: Salon) throws -> BookingPlan {
        try BookingPlan(minutes: 30, at: salon)
    }
}

extension BookingStore {
    /// Books half an hour of the salon.
    @discardableResult
    func book(
        _ booking: BookingRequest = StoreClients.booking(),
        key: String? = nil
    ) async throws(Problem) -> StoredAppointment {
        try await book(booking, as: key.map(StoreClients.keyed), minutes: 30)
    }

    /// The number of all appointments.
    func count() async throws(Problem) -> Int {
        try await appointments(after: nil, limit: 10_000).count
    }
}

extension Result where Failure == Problem {
    var value: Success? { try? get() }
    var problem: Problem? { if case .failure(let problem) = self { problem } else { nil } }
    /// The failure of the storage; nil for any other problem.
    var failure: StorageFailure? { problem?.failure }
}
