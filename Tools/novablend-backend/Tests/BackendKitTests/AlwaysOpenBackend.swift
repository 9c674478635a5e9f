import BackendKit
import BookingStorage
import BookingStorageTestSupport
import Contract
import Domain
import Foundation
import JSON
import SQLiteStorage
import Testing

/// A backend with one salon that is always open, so that only the rules of a test limit bookings. It
/// is stopped when no one uses it anymore.
final class AlwaysOpenBackend: Sendable {
    static let id = SalonID(high: 1, low: 1)

    let backend: Backend
    var port: UInt16 { backend.port }

    init(
        database: String = ":memory:",
        metrics: MetricsAddress? = nil,
        minutes: Int = 30,
        clock: any WallClock = SystemClock(),
        _ set: (inout Salon) -> Void = { _ in }
    ) throws {
        let salon = Self.salon(minutes: minutes, set)
        backend = try Backend(database: database, metrics: metrics, salons: [salon], clock: clock)
    }

    deinit { backend.stop() }

    static func salon(minutes: Int = 30, _ set: (inout Salon) -> Void = { _ in }) -> Salon {
        let midnight = TimeOfDay(minuteOfDay: 0)
        var salon = Salon(
            id: id,
            name: "n",
            location: "l",
            hours: OpeningHours(opens: midnight, closes: midnight),
            slotMinutes: minutes
        )
        set(&salon)
        return salon
    }

    /// The beginning of tomorrow in UTC plus `minutes` and `seconds`.
    static func time(_ minutes: Int, seconds: Int64 = 0) throws -> AppointmentTime {
        let day = Date(timeIntervalSinceNow: 86_400).formatted(.iso8601.year().month().day())
        let midnight = try #require(ISO8601.parse("\(day)T00:00:00Z"))
        let instant = midnight.instant.advanced(bySeconds: seconds)
        return AppointmentTime(instant: instant).advanced(byMinutes: minutes)
    }

    /// The body of a request that books `time`.
    static func booking(
        _ time: AppointmentTime,
        _ options: BookingOptions = BookingOptions(),
        phone: String = "12345",
        holdID: String? = nil
    ) -> String {
        let request = BookingRequest(
            salonID: id,
            time: time,
            phone: phone,
            email: "a@b.example",
            note: "short",
            options: options,
            holdID: holdID
        )
        return String(decoding: BookingRequestCodec.encode(request), as: UTF8.self)
    }

    /// The body of a request that moves an appointment to `time`.
    static func change(to time: AppointmentTime) -> String {
        #"{"appointmentTime":"\#(ISO8601.format(time))"}"#
    }

    func post(
        _ time: AppointmentTime,
        _ options: BookingOptions = BookingOptions(),
        phone: String = "12345",
        holdID: String? = nil,
        key: String? = nil
    ) -> Response? {
        let body = Self.booking(time, options, phone: phone, holdID: holdID)
        let headers = key.map { ["Idempotency-Key: \($0)"] } ?? []
        return exchange(port, "POST /appointments", headers: headers, body: body)
    }

    /// Books a time. Fails the test if that does not succeed.
    func book(
        _ time: AppointmentTime,
        _ options: BookingOptions = BookingOptions()
    ) throws -> Appointment {
        try #require(post(time, options)).appointment()
    }

    /// Holds a time for `minutes`, or for the default time if it is nil.
    func hold(
        _ time: AppointmentTime,
        _ options: BookingOptions = BookingOptions(),
        minutes: Int? = nil,
        phone: String = "12345",
        key: String? = nil
    ) -> Response? {
        let duration = minutes.map { #","minutes":\#($0)"# } ?? ""
        let body = Self.booking(time, options, phone: phone).dropLast() + duration + "}"
        let headers = key.map { ["Idempotency-Key: \($0)"] } ?? []
        return exchange(port, "POST /holds", headers: headers, body: String(body))
    }

    /// Creates or replaces a salon.
    func put(_ salon: Salon, isNew: Bool = false) -> Response? {
        let body = String(decoding: SalonCodec.encode(salon), as: UTF8.self)
        let condition = isNew ? "If-None-Match: *" : "If-Match: *"
        return exchange(port, "PUT /salons/\(salon.id)", headers: [condition], body: body)
    }

    func release(_ id: String) -> Response? { exchange(port, "DELETE /holds/\(id)") }

    func get(_ id: String?) -> Response? { exchange(port, "GET /appointments/\(id ?? "")") }

    /// Moves an appointment. Without `match`, the request has no `If-Match` field.
    func patch(
        _ id: String?,
        to time: AppointmentTime,
        match: String? = "*",
        key: String? = nil
    ) -> Response? {
        send("PATCH", id, match, key, Self.change(to: time))
    }

    func delete(_ id: String?, match: String? = "*", key: String? = nil) -> Response? {
        send("DELETE", id, match, key, "")
    }

    /// Voids a key. The caller must percent-encode it.
    func void(_ key: String) -> Response? {
        exchange(port, "DELETE /idempotency-keys/\(key)")
    }

    func send(
        _ method: String,
        _ id: String?,
        _ match: String?,
        _ key: String?,
        _ body: String
    ) -> Response? {
        let fields = [match.map { "If-Match: \($0)" }, key.map { "Idempotency-Key: \($0)" }]
        let line = "\(method) /appointments/\(id ?? "")"
        return exchange(port, line, headers: fields.compactMap { $0 }, body: body)
    }

    /// Repeats a request until the response has a status.
    func wait(for status: Int, _ line: String) throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while exchange(port, line)?.status != status {
            try #require(ContinuousClock.now < deadline, "\(line) is not \(status)")
        }
    }

    /// The list of appointments.
    func appointments() throws -> [Appointment] {
        let response = try #require(exchange(port, "GET /appointments"))
        return try AppointmentListCodec.decode(Array(response.body.utf8))
    }

    func slots(from: AppointmentTime, minutes: Int, _ query: String = "") throws -> [Slot] {
        let first = try #require(availability(from: from, minutes: minutes, query))
        return try pages(after: first).flatMap {
            try SlotListCodec.decode(Array($0.body.utf8)).slots
        }
    }

    /// A page of availability and those after it.
    func pages(after first: Response) throws -> [Response] {
        var pages = [first]
        while let query = try pages.last?.nextQuery() {
            let path = "/salons/\(Self.id)/availability?\(query)"
            pages.append(try #require(exchange(port, "GET \(path)")))
        }
        return pages
    }

    func availability(
        from: AppointmentTime,
        minutes: Int,
        _ query: String = ""
    ) -> Response? {
        let range = [from, from.advanced(byMinutes: minutes)].map {
            ISO8601.format($0).replacing("+", with: "%2B")
        }
        let path = "/salons/\(Self.id)/availability?start=\(range[0])&end=\(range[1])"
        return exchange(port, "GET \(path)\(query)")
    }
}

extension TemporaryDatabase {
    /// Replaces the salon while no backend uses the database.
    func replaceSalon(minutes: Int) async throws {
        let store = try SQLiteBookingStore(path: path, clock: SystemClock())
        defer { store.close() }
        _ = try await store.importSalons([AlwaysOpenBackend.salon(minutes: minutes)])
    }
}
