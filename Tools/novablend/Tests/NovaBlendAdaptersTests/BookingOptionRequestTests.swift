import Domain
import DomainTestSupport
import Networking
import NovaBlendAccounts
import Testing

@testable import NovaBlendAdapters

@Suite("Requests about services, staff, seats, and holds", .timeLimit(.minutes(10)))
struct BookingOptionRequestTests {
    private let options = BookingOptions(serviceID: "color & cut", staffID: "ana", seats: 2)
    private var request: BookingRequest {
        var request = Samples.booking()
        (request.email, request.note, request.options) = (nil, nil, options)
        return request
    }

    private func api(_ server: PageServer) -> HTTPBookingAPI {
        var endpoints = Endpoints(base: server.origin)
        endpoints.availability = server.origin + "/{id}/slots?tenant=7"
        let client = CurlHTTPClient()
        return HTTPBookingAPI(
            endpoints: endpoints,
            sender: client,
            reader: client,
            limits: ListLimits(maximumBytes: 10_000),
            credential: "none",
            counter: InMemoryChangeCounter()
        )
    }

    @Test("availability is requested for the service, the staff member, and the seats")
    func availability() async throws {
        let server = try PageServer { _, _ in .init(body: #"{"slots":[]}"#) }
        let api = api(server)
        let time = request.time
        var slots = SlotRequest(salonID: request.salonID, start: time, end: time)
        let plain = slots
        (slots.options, slots.movedID, slots.isExplained) = (options, "a&b", true)
        for request in [slots, plain] { _ = try await api.slots(request) }
        let targets = server.targets
        try #require(targets.count == 2)
        #expect(targets[0].contains("slots?tenant=7&start="))
        #expect(
            targets[0].hasSuffix(
                "&serviceId=color%20%26%20cut&staffId=ana&seats=2&appointmentId=a%26b&explain=true"
            )
        )
        #expect(targets[1].hasSuffix("&end=2024-10-20T12%3A00%3A00%2B0000"))
    }

    @Test("a move sends only what it changes, and null for anyone")
    func move() async throws {
        let server = try PageServer { _, _ in .init(body: #"{"id":"a"}"#) }
        let changes = [
            OptionsChange(), OptionsChange(serviceID: "color", staff: .anyone),
            OptionsChange(staff: .member("ana"), seats: 1),
        ]
        for options in changes {
            let change = AppointmentChange(
                id: "a",
                version: 1,
                kind: .reschedule(to: request.time, changing: options),
                before: Samples.appointment()
            )
            _ = try await api(server).change(change, key: "k")
        }
        let time = #""appointmentTime":"2024-10-20T12:00:00+0000""#
        #expect(
            server.bodies == [
                "{\(time)}", #"{\#(time),"serviceId":"color","staffId":null}"#,
                #"{\#(time),"staffId":"ana","seats":1}"#,
            ]
        )
        #expect(server.heads.allSatisfy { $0.hasPrefix("PATCH /appointments/a ") })
    }

    @Test("a booking names its hold")
    func booking() async throws {
        let server = try PageServer { _, _ in .init(status: 201, body: #"{"id":"a"}"#) }
        var held = request
        held.holdID = "h1"
        _ = try await api(server).book(held, key: "k")
        #expect(
            server.bodies.first?.hasSuffix(
                #""serviceId":"color & cut","staffId":"ana","seats":2,"holdId":"h1"}"#
            ) == true
        )
    }

    @Test("a hold is requested under its key, and the server's clock is read")
    func hold() async throws {
        let server = try PageServer { _, _ in
            .init(
                status: 201,
                headers: ["Date: Sun, 20 Oct 2024 11:55:00 GMT"],
                body: #"{"id":"h1","expiresAt":"2024-10-20T12:00:00Z","staffId":"ana"}"#
            )
        }
        let granted = try await api(server).hold(request, minutes: 10, key: "k1")
        let expiry = Timestamp(secondsSince1970: 1_729_425_600)
        #expect(granted.hold == Hold(id: "h1", expiresAt: expiry, staffID: "ana"))
        #expect(granted.serverTime == expiry.advanced(bySeconds: -300))
        let head = try #require(server.heads.first)
        #expect(head.hasPrefix("POST /holds ") && head.contains("Idempotency-Key: k1\r\n"))
        #expect(server.bodies.first?.hasSuffix(#""seats":2,"minutes":10}"#) == true)
    }

    @Test(
        "the failures of a hold are distinguished",
        arguments: [
            (404, "", AttemptError.unsupported(reason: "it responded with status 404")),
            (405, "", .unsupported(reason: "it responded with status 405")),
            (
                501, #"{"detail":"no"}"#,
                .unsupported(reason: "it responded with status 501: no")
            ),
            (
                404, #"{"error":"salonNotFound","message":"none"}"#,
                .salonNotFound
            ),
            (
                429, #"{"error":"tooManyHolds","message":"three"}"#,
                .tooManyHolds(reason: "three", retryAfterSeconds: 42)
            ),
            (
                422, #"{"error":"tooManyAppointments","message":"two","limit":2}"#,
                .tooManyAppointments(reason: "two", limit: 2)
            ),
            (
                409, #"{"error":"slotUnavailable","message":"taken"}"#,
                .slotUnavailable(alternatives: [], reason: "taken")
            ),
            (
                503, #"{"message":"busy"}"#,
                .noResponse(reason: "busy", retryAfterSeconds: 42)
            ),
        ]
    )
    func failures(status: Int, body: String, expected: AttemptError) async throws {
        let server = try PageServer { _, _ in
            .init(status: status, headers: ["Retry-After: 42"], body: body)
        }
        await #expect(throws: expected) {
            try await api(server).hold(request, minutes: nil, key: "k")
        }
        #expect(server.heads.count == 1)
    }

    @Test("a web page and an unreadable confirmation do not confirm a hold")
    func unreadable() async throws {
        for (type, body) in [("text/html", "<html>"), ("application/json", #"{"id":"h1"}"#)] {
            let server = try PageServer { _, _ in
                .init(status: 200, headers: ["Content-Type: \(type)"], body: body)
            }
            await #expect(throws: AttemptError.self) {
                try await api(server).hold(request, minutes: nil, key: "k")
            }
        }
    }

    @Test(
        "a hold is released by 204, or by a 410 with the named error",
        arguments: [
            (204, ""), (410, #"{"error":"holdNotFound"}"#),
        ]
    )
    func release(status: Int, body: String) async throws {
        let server = try PageServer { _, _ in .init(status: status, body: body) }
        try await api(server).release("a/b")
        #expect(server.heads.first?.hasPrefix("DELETE /holds/a%2Fb ") == true)
    }

    @Test("an unnamed 404 or 410, as proxies send, does not mean that a hold has ended")
    func unnamedRelease() async throws {
        for (status, body, words) in [
            (404, "", ""), (404, #"{"error":"other"}"#, ": other"), (410, "", ""),
            (410, "gone", ": gone"), (405, "", ""), (501, "", ""),
        ] {
            let server = try PageServer { _, _ in .init(status: status, body: body) }
            let reason = "it responded with status \(status)\(words)"
            await #expect(throws: AttemptError.unsupported(reason: reason)) {
                try await api(server).release("h1")
            }
        }
    }

    @Test(
        "a 200 does not confirm a release",
        arguments: ["", "{}", "<html>", #"{"error":"busy"}"#, #"{"ok":false}"#]
    )
    func unconfirmedRelease(body: String) async throws {
        let server = try PageServer { _, _ in .init(status: 200, body: body) }
        await #expect(throws: AttemptError.self) { try await api(server).release("h1") }
    }

    @Test("a hold that the server does not know is not found")
    func unknownHold() async throws {
        let server = try PageServer { _, _ in
            .init(status: 404, body: #"{"error":"holdNotFound","message":"unknown"}"#)
        }
        await #expect(throws: AttemptError.notFound(reason: "unknown")) {
            try await api(server).release("h1")
        }
    }

    @Test("without a URL for holds, nothing is sent")
    func notConfigured() async throws {
        let server = try PageServer { _, _ in .init() }
        let client = CurlHTTPClient()
        let api = HTTPBookingAPI(
            endpoints: Endpoints(),
            sender: client,
            reader: client,
            limits: ListLimits(maximumBytes: 10_000),
            credential: "none",
            counter: InMemoryChangeCounter()
        )
        await #expect(throws: AttemptError.unsupported(reason: "no URL for holds is configured")) {
            try await api.hold(request, minutes: nil, key: "k")
        }
        #expect(server.heads.isEmpty)
    }
}
