import JSON
import Testing

@Suite("Lists of appointments that are redirected", .throttled, .timeLimit(.minutes(10)))
struct RedirectedListTests {
    /// A different server. Its list is empty, unless it sends clients back to the first server.
    private static func elsewhere(back url: String? = nil) throws -> BookingServer {
        try BookingServer { _, _ in url.map { .reply(302, headers: ["Location": $0]) } }
    }

    /// Loses changes, and redirects every later request for the list. A list that needs no credentials
    /// is empty.
    private static func redirecting(to url: String) -> BookingServer.Fault {
        { request, state in
            if request.method != "GET" { return .hangUp }
            if request.path == "/public" { return .reply(200, #"{"appointments":[]}"#) }
            let isSent = state.requests.contains { $0.method != "GET" }
            guard isSent, request.path == "/appointments" else { return nil }
            return .reply(302, headers: ["Location": url])
        }
    }

    @Test(
        "the list of a different origin proves neither a cancellation nor a missing move",
        arguments: ["appointments/cancel", "appointments/reschedule"],
        [false, true]
    )
    func elsewhere(method: String, isSentBack: Bool) async throws {
        let fixture = try BookingFixture()
        let other = try Self.elsewhere(back: isSentBack ? fixture.server.url + "/public" : nil)
        let client = try fixture.client()
        let (id, target) = try await fixture.booked(through: client)
        fixture.server.update { $0.requests = [] }
        fixture.server.setFault(Self.redirecting(to: other.url + "/appointments"))
        let change = fixture.change(of: id, to: target, method)
        let failure = try await client.failure(method, change)
        #expect(failure.name == "bookingInDoubt", "\(failure)")
        #expect(failure.message.contains("redirected to a different origin"), "\(failure)")
        #expect(other.requests("GET").isEmpty)
        fixture.server.setFault(nil)
        #expect(try await client.openKeys() == [BookingFixture.key])
    }

    @Test("a redirect that removes the unique parameter does not prove that a booking is absent")
    func withoutParameter() async throws {
        let fault: BookingServer.Fault = { request, _ in
            if request.method != "GET" { return .hangUp }
            guard request.path == "/appointments", request.hasQuery else { return nil }
            return .reply(302, headers: ["Location": "/appointments"])
        }
        let fixture = try BookingFixture(fault)
        let later = try await fixture.observer()
        let booking = fixture.booking()
        let key = try await fixture.client().callInDoubt("appointments/book", booking.params)
        #expect(try await later.resolutions() == [key: "inDoubt"])
        fixture.server.update {
            $0.entries = [.init(id: "a1", time: booking.time, phone: "+49 30 1234567")]
        }
        #expect(try await later.resolutions() == [key: "booked"])
    }

    @Test("a redirect within the origin that keeps the parameter is followed")
    func sameOrigin() async throws {
        let fixture = try BookingFixture { request, state in
            if request.method != "GET" { return .hangUp }
            let query = request.target.drop { $0 != "?" }
            switch request.path {
            case "/appointments": return .reply(302, headers: ["Location": "/v2\(query)"])
            case "/v2": return .reply(200, state.appointmentList)
            default: return nil
            }
        }
        let later = try await fixture.observer()
        let key = try await fixture.client().callInDoubt(
            "appointments/book",
            fixture.booking().params
        )
        #expect(try await later.resolutions() == [key: "notFound"])
    }

    @Test("the list of a different origin does not replace the cached list of appointments")
    func list() async throws {
        let other = try Self.elsewhere()
        let fixture = try BookingFixture()
        let client = try fixture.client()
        let (id, _) = try await fixture.booked(through: client)
        #expect(try await client.result("appointments/list").text.contains(id))
        fixture.server.setFault { request, _ in
            request.path == "/appointments"
                ? .reply(307, headers: ["Location": other.url + "/appointments"]) : nil
        }
        let failure = try await client.failure("appointments/list")
        #expect(failure.name == "invalidData", "\(failure)")
        let cached = try await client.result("appointments/list", #"{"policy":"cacheOnly"}"#)
        #expect(cached.text.contains(id))
        #expect(other.requests("GET").isEmpty)
    }
}
