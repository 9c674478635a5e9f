import Foundation
import JSON
import SystemTestSupport
import Testing

/// A server with injected faults, and clients that share their directories.
struct BookingFixture {
    let server: BookingServer
    private let directory: TemporaryDirectory
    private let slots = Slots()
    /// The idempotency key of bookings and changes, unless a test passes a different one.
    static let key = "key-1"

    init(_ fault: BookingServer.Fault? = nil) throws {
        server = try BookingServer(fault)
        directory = try TemporaryDirectory()
    }

    func client(minutesLater: Int = 0) throws -> Novablend {
        let wrapper = minutesLater > 0 ? FakeClock.ahead(by: "\(minutesLater)m") : []
        return try Novablend(["--base-url", server.url], in: directory, through: wrapper)
    }

    /// A client whose clock is ahead. It starts before anything is in doubt, so that the resolution at
    /// its start does not race with the requests of a test.
    func observer(minutesLater: Int = 5) async throws -> Novablend {
        let observer = try client(minutesLater: minutesLater)
        #expect(try await observer.resolutions().isEmpty)
        return observer
    }

    /// The parameters of a booking at a time that no other booking uses, and that time.
    func booking(
        phone: String = "+49 30 1234567",
        key: String? = key,
        _ extra: String = ""
    ) -> (time: String, params: String) {
        let time = slots.take().time
        return (time, params(at: time, phone: phone, key: key, extra))
    }

    /// `timeOfDay` in UTC, two days from now.
    func date(at timeOfDay: String) -> String {
        slots.take().time.prefix(11) + timeOfDay + "+0000"
    }

    /// The parameters of a booking at `time`.
    func params(
        at time: String,
        phone: String = "+49 30 1234567",
        key: String? = key,
        _ extra: String = ""
    ) -> String {
        let key = key.map { #","idempotencyKey":"\#($0)""# } ?? ""
        return #"{"salonId":"\#(Sample.salon)","appointmentTime":"\#(time)","#
            + #""phone":"\#(phone)"\#(key)\#(extra)}"#
    }

    /// Books an appointment; call it before a fault is injected. Returns the id of the appointment and
    /// a free time to move it to.
    func booked(through client: Novablend) async throws -> (id: String, target: String) {
        let result = try await client.result("appointments/book", booking(key: nil).params)
        let id = try result.required("appointment").object().required("id").string()
        return (id, slots.take().time)
    }

    /// The parameters of `method`, a cancellation or a reschedule to `target`.
    func change(of id: String, to target: String, _ method: String) -> String {
        let time = method == "appointments/reschedule" ? #","appointmentTime":"\#(target)""# : ""
        return #"{"id":"\#(id)","idempotencyKey":"\#(Self.key)"\#(time)}"#
    }
}

extension Novablend {
    /// The outcomes that `appointments/resolve` reports, by key.
    func resolutions(_ params: String = "{}") async throws -> [String: String] {
        let list = try await result("appointments/resolve", params).required("resolutions").array()
        let outcomes = try list.map { resolution in
            let resolution = try resolution.object()
            let key = try resolution.required("idempotencyKey").string()
            return (key, try resolution.required("outcome").string())
        }
        return Dictionary(outcomes) { _, last in last }
    }

    /// The keys of the open intents in the journal; sends no request to the server.
    func openKeys() async throws -> Set<String> {
        Set(try await resolutions(#"{"dryRun":true}"#).keys)
    }

    /// Calls a method, expects the error `bookingInDoubt`, and returns the key in it.
    @discardableResult
    func callInDoubt(_ method: String, _ params: String) async throws -> String {
        let failure = try await failure(method, params)
        try #require(failure.code == 1_206 && failure.name == "bookingInDoubt", "\(failure)")
        return try #require(try failure.data?.required("idempotencyKey").string())
    }
}
