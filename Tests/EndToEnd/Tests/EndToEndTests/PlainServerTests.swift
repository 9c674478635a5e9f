import Foundation
import JSON
import Synchronization
import Testing

/// A server that offers nothing but the three calls of the seeds: a list of salons, a list of
/// appointments, and bookings.
@Suite("A server with only the calls of the seeds", .throttled, .timeLimit(.minutes(10)))
struct PlainServerTests {
    private let server: PlainServer
    private let client: Novablend
    private let slots = Slots()

    init() throws {
        server = try PlainServer()
        client = try Novablend(["--base-url", server.url])
    }

    /// The parameters of a booking at a free time, and that time.
    private func booking(_ extra: String = "") -> (time: String, params: String) {
        let slot = slots.take()
        return (slot.time, "{\(slot.members)\(extra)}")
    }

    @Test("salons and appointments are listed, and have neither services nor staff nor seats")
    func lists() async throws {
        _ = try await client.result("appointments/book", booking().params)
        let salons = try await client.result("salons/list")
        let appointments = try await client.result("appointments/list")
        #expect(try salons.count("salons") == 1 && appointments.count("appointments") == 1)
        for text in [salons.text, appointments.text] {
            for key in ["services", "serviceId", "staff", "seats", "weekly"] {
                #expect(!text.contains(#""\#(key)""#), "\(text)")
            }
        }
    }

    @Test("services/list and staff/list return empty lists")
    func emptyLists() async throws {
        let salon = #"{"salonId":"\#(Sample.salon)"}"#
        #expect(try await client.result("services/list", salon).count("services") == 0)
        #expect(try await client.result("staff/list", salon).count("staff") == 0)
    }

    @Test("slots are computed from its hours and bookings, and a free one can be booked")
    func availability() async throws {
        let (time, params) = booking()
        let day = time.prefix(10)
        let range =
            #"{"salonId":"\#(Sample.salon)","start":"\#(day)T00:00:00Z","end":"\#(day)T23:59:59Z"}"#
        let before = try await client.result("salons/availability", range)
        #expect(try before.required("source").string() == "computed")
        let start = time.replacing("+0000", with: "+00:00")
        #expect(try before.starts().contains(start))
        #expect(!before.text.contains(#""staff""#))
        let booked = try await client.result("appointments/book", params)
        let appointment = try booked.required("appointment").object()
        #expect(try appointment.required("appointmentTime").string() == time)
        let after = try await client.result("salons/availability", range)
        #expect(try after.starts("own") == [start])
        #expect(try after.starts() == before.starts().filter { $0 != start })
    }

    @Test("a booking is sent as in the seeds, without a service, staff, seats, or a hold")
    func request() async throws {
        _ = try await client.result(
            "appointments/book",
            booking(#","email":"a@b.example","notes":"short""#).params
        )
        let body = try #require(server.posted.first)
        let object = try JSONDocument(parsing: Array(body.utf8)).root.object()
        let keys = ["salonId", "appointmentTime", "phone", "email", "notes"]
        #expect(keys.allSatisfy { body.contains(#""\#($0)":"#) })
        #expect(body.components(separatedBy: #"":""#).count == keys.count + 1, "\(object.text)")
    }

    @Test("appointments without an id cannot be moved, as before, and nothing is sent")
    func reschedule() async throws {
        _ = try await client.result("appointments/book", booking().params)
        let listed = try await client.result("appointments/list")
        #expect(!listed.text.contains(#""id""#))
        let time = slots.take().time
        let move = #"{"id":"a","appointmentTime":"\#(time)"}"#
        let failure = try await client.failure("appointments/reschedule", move)
        #expect(failure.code == 1_003 && failure.message.contains("have no id"), "\(failure)")
        #expect(server.posted.count == 1)
        #expect(server.unsupported.allSatisfy { $0.hasPrefix("GET ") })
    }

    @Test("a hold is an error that says that the server cannot hold times, and booking still works")
    func hold() async throws {
        let (_, params) = booking()
        let failure = try await client.failure("appointments/hold", params)
        #expect(failure.code == 1_216 && failure.name == "holdsUnsupported", "\(failure)")
        #expect(failure.message.hasSuffix("; book without a hold"))
        _ = try await client.result("appointments/book", params)
        let release = try await client.failure("appointments/release", #"{"holdId":"h"}"#)
        #expect(release.code == 1_216, "\(release)")
    }

    @Test(
        "a service, staff member, or number of seats that the salon does not have is an error, and nothing is sent",
        arguments: [
            (#""serviceId":"cut""#, "serviceId"), (#""staffId":"ana""#, "staffId"),
            (#""seats":2"#, "seats"),
        ]
    )
    func unknownOptions(member: String, parameter: String) async throws {
        let (time, params) = booking("," + member)
        for method in ["appointments/book", "appointments/hold"] {
            let failure = try await client.failure(method, params)
            #expect(failure.message.contains(parameter), "\(method): \(failure)")
        }
        let day = time.prefix(10)
        let range =
            #"{"salonId":"\#(Sample.salon)","start":"\#(day)T00:00:00Z","end":"\#(day)T23:59:59Z",\#(member)}"#
        let failure = try await client.failure("salons/availability", range)
        #expect(failure.message.contains(parameter), "\(failure)")
        #expect(server.posted.isEmpty)
        #expect(server.unsupported.allSatisfy { !$0.contains("holds") })
    }
}

/// A server with the three calls of the seeds. Its appointments have neither ids nor versions, and it
/// ignores what it does not know.
final class PlainServer: Sendable {
    private struct State {
        /// The bodies of the bookings.
        var posted: [String] = []
        /// The requests that it does not support.
        var unsupported: [String] = []

        static let salon =
            #"{"id":"\#(Sample.salon)","name":"a name","location":"a location","#
            + #""phone":"a phone number","open_time":9.30,"close_time":22.30}"#

        mutating func process(_ request: ReceivedRequest) -> KeepAliveServer.Response {
            switch (request.method, request.path) {
            case ("GET", "/salons"): return .reply(200, #"{"salons":[\#(Self.salon)]}"#)
            case ("GET", "/appointments"):
                return .reply(200, #"{"appointments":[\#(posted.joined(separator: ","))]}"#)
            case ("POST", "/appointments"):
                posted.append(request.body)
                return .reply(200, request.body)
            default:
                unsupported.append("\(request.method) \(request.target)")
                return .reply(404)
            }
        }
    }

    private final class Shared: Sendable { let state = Mutex(State()) }

    private let shared: Shared
    private let server: KeepAliveServer
    var url: String { server.url }

    init() throws {
        let shared = Shared()
        self.shared = shared
        server = try KeepAliveServer { request in shared.state.withLock { $0.process(request) } }
    }

    var posted: [String] { shared.state.withLock(\.posted) }
    /// The method and target of each request that it does not support.
    var unsupported: [String] { shared.state.withLock(\.unsupported) }
}
