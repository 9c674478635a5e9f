import BackendKit
import Contract
import Domain
import Foundation
import JSON
import Testing

/// A backend with one salon that is open around the clock, so that only what a test sets is a bound.
struct RoundTheClock {
    static let id = SalonID(high: 1, low: 1)

    let backend: Backend
    var port: UInt16 { backend.port }

    init(
        database: String = ":memory:",
        minutes: Int = 30,
        clock: any WallClock = SystemClock(),
        _ set: (inout Salon) -> Void = { _ in }
    ) throws {
        let salon = Self.salon(minutes: minutes, set)
        backend = try Backend(database: database, salons: [salon], clock: clock)
    }

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

    /// Tomorrow at midnight UTC, some minutes later.
    static func time(_ minutes: Int, seconds: Int64 = 0) throws -> AppointmentTime {
        let day = Date(timeIntervalSinceNow: 86_400).formatted(.iso8601.year().month().day())
        let midnight = try #require(ISO8601.parse("\(day)T00:00:00Z"))
        let instant = midnight.instant.advanced(bySeconds: seconds)
        return AppointmentTime(instant: instant).advanced(byMinutes: minutes)
    }

    /// The bytes of a booking.
    static func booking(_ time: AppointmentTime, phone: String = "12345") -> String {
        let request = BookingRequest(
            salonID: id,
            time: time,
            phone: phone,
            email: "a@b.example",
            note: "short"
        )
        return String(decoding: BookingRequestCodec.encode(request), as: UTF8.self)
    }

    /// The bytes of a change to another time.
    static func change(to time: AppointmentTime) -> String {
        #"{"appointmentTime":"\#(ISO8601.format(time))"}"#
    }

    func post(_ time: AppointmentTime, key: String? = nil) -> Answer? {
        let headers = key.map { ["Idempotency-Key: \($0)"] } ?? []
        return exchange(port, "POST /appointments", headers: headers, body: Self.booking(time))
    }

    /// Books, which must succeed.
    func book(_ time: AppointmentTime) throws -> Appointment {
        try #require(post(time)).appointment()
    }

    func get(_ id: String?) -> Answer? { exchange(port, "GET /appointments/\(id ?? "")") }

    /// Asks for a change; a `match` of nil sends no such field.
    func patch(
        _ id: String?,
        to time: AppointmentTime,
        match: String? = "*",
        key: String? = nil
    ) -> Answer? {
        send("PATCH", id, match, key, Self.change(to: time))
    }

    func delete(_ id: String?, match: String? = "*", key: String? = nil) -> Answer? {
        send("DELETE", id, match, key, "")
    }

    /// Voids a key, which is percent-encoded where it must be.
    func void(_ key: String) -> Answer? {
        exchange(port, "DELETE /idempotency-keys/\(key)")
    }

    func send(
        _ method: String,
        _ id: String?,
        _ match: String?,
        _ key: String?,
        _ body: String
    ) -> Answer? {
        let fields = [match.map { "If-Match: \($0)" }, key.map { "Idempotency-Key: \($0)" }]
        let line = "\(method) /appointments/\(id ?? "")"
        return exchange(port, line, headers: fields.compactMap { $0 }, body: body)
    }

    /// Everything that is listed.
    func appointments() throws -> [Appointment] {
        let answer = try #require(exchange(port, "GET /appointments"))
        return try AppointmentListCodec.decode(Array(answer.body.utf8))
    }

    func slots(from: AppointmentTime, minutes: Int) throws -> [Slot] {
        let range = [from, from.advanced(byMinutes: minutes)].map {
            ISO8601.format($0).replacing("+", with: "%2B")
        }
        let path = "/salons/\(Self.id)/availability?start=\(range[0])&end=\(range[1])"
        let answer = try #require(exchange(port, "GET \(path)"))
        return try SlotListCodec.decode(Array(answer.body.utf8))
    }
}
