import JSON
import Testing

/// A server that ignores idempotency keys and accepts two bookings at the same time, behind a gateway
/// that answers on its own.
@Suite("No second copy of a booking", .throttled, .timeLimit(.minutes(10)))
struct SecondCopyTests {
    private static let page = "<html>sorry</html>"
    private static let changes = ["appointments/reschedule", "appointments/cancel"]

    private func fixture(_ fault: BookingServer.Fault? = nil) throws -> BookingFixture {
        let fixture = try BookingFixture(fault)
        fixture.server.update { $0.rejectsTaken = false }
        return fixture
    }

    @Test(
        "a booking that is carried out after the gateway has answered is booked once",
        arguments: [408, 499, 502, 503, 504, 520, 522, 524, 530, 598],
        [1, 2, 3]
    )
    func late(status: Int, lists: Int) async throws {
        let answer = BookingServer.Response.reply(status, Self.page)
        let fixture = try fixture(BookingServer.gateway(answer, carryingOutAfter: lists))
        let (time, params) = fixture.booking()
        let booked = try await fixture.client().result("appointments/book", params)
        #expect(booked.text.contains(time))
        #expect(fixture.server.state.count(at: time) == 1)
        #expect(fixture.server.requests("POST").count == 1)
    }

    @Test("a booking whose connection is reset before it is carried out is booked once")
    func reset() async throws {
        let fixture = try fixture(BookingServer.gateway(.hangUp, carryingOutAfter: 3))
        let (time, params) = fixture.booking()
        _ = try await fixture.client().result("appointments/book", params)
        #expect(fixture.server.state.count(at: time) == 1)
        #expect(fixture.server.requests("POST").count == 1)
    }

    @Test("a booking that appears only after the call is in doubt, and its repetition is not sent")
    func later() async throws {
        let answer = BookingServer.Response.reply(504, Self.page)
        let fixture = try fixture(BookingServer.gateway(answer, carryingOutAfter: 100))
        let client = try fixture.client()
        let (time, params) = fixture.booking()
        let key = try await client.callInDoubt("appointments/book", params)
        fixture.server.setFault(nil)
        for parameters in [params, fixture.params(at: time, key: nil)] {
            #expect(try await client.callInDoubt("appointments/book", parameters) == key)
        }
        #expect(fixture.server.requests("POST").count == 1)
        fixture.server.update { $0.delayed = $0.delayed.map { ($0.request, 1) } }
        let booked = try await client.result("appointments/book", params)
        #expect(booked.text.contains(time) && fixture.server.state.count(at: time) == 1)
    }

    @Test(
        "a booking that was carried out before a filter replaced the response is booked",
        arguments: [
            (301, ""), (307, ""), (308, ""), (401, ""), (401, #"{"error":"denied"}"#), (403, page),
            (403, #"{"error":"denied"}"#), (404, page), (406, ""), (413, page), (422, ""),
            (429, "{}"), (451, page),
        ]
    )
    func filtered(status: Int, body: String) async throws {
        let answer = BookingServer.Response.reply(status, body)
        let fixture = try fixture(BookingServer.gateway(answer, carryingOutAfter: 0))
        let (time, params) = fixture.booking()
        let booked = try await fixture.client().result("appointments/book", params)
        #expect(booked.text.contains(time))
        #expect(fixture.server.requests("POST").count == 1)
    }

    @Test("a rejected booking that appears later is found by the next call, which sends nothing")
    func rejectedLate() async throws {
        let answer = BookingServer.Response.reply(403, Self.page)
        let fixture = try fixture(BookingServer.gateway(answer, carryingOutAfter: 2))
        let client = try fixture.client()
        let (time, params) = fixture.booking(key: nil)
        let failure = try await client.failure("appointments/book", params)
        #expect(failure.name == "notAllowed" && fixture.server.state.count(at: time) == 0)
        let booked = try await client.result("appointments/book", params)
        #expect(booked.text.contains(time) && fixture.server.state.count(at: time) == 1)
        #expect(fixture.server.requests("POST").count == 1)
    }

    @Test("a rejected booking is requested anew under a new key after one more lookup")
    func rejectedNever() async throws {
        let fixture = try fixture { request, state in
            let isFirst = state.requests.count { $0.method == "POST" } == 1
            return request.method == "POST" && isFirst ? .reply(403, Self.page) : nil
        }
        let client = try fixture.client()
        let (time, params) = fixture.booking(key: nil)
        #expect(try await client.failure("appointments/book", params).name == "notAllowed")
        _ = try await client.result("appointments/book", params)
        #expect(fixture.server.state.count(at: time) == 1)
        #expect(fixture.server.bookingKeys.count == 2)
    }

    @Test("a 401 to a booking and to the lookup is an error with the key, and not a doubt")
    func unauthenticated() async throws {
        let fixture = try fixture { request, state in
            let isSent = state.requests.contains { $0.method == "POST" }
            if request.method == "POST" { _ = state.process(request) }
            return isSent && request.path == "/appointments" ? .reply(401) : nil
        }
        let client = try fixture.client()
        let (time, params) = fixture.booking(key: nil)
        let failure = try await client.failure("appointments/book", params)
        #expect(failure.name == "notAuthenticated")
        let key = try #require(try failure.data?.required("idempotencyKey").string())
        #expect(try await client.openKeys().isEmpty)
        fixture.server.setFault(nil)
        #expect(try await client.resolutions() == [key: "booked"])
        #expect(fixture.server.state.count(at: time) == 1)
    }

    @Test(
        "a change that is carried out after the gateway answered is sent once",
        arguments: changes
    )
    func changed(method: String) async throws {
        for (status, lists) in [(504, 2), (502, 2), (403, 0)] {
            let fixture = try fixture()
            let client = try fixture.client()
            let (id, target) = try await fixture.booked(through: client)
            let answer = BookingServer.Response.reply(status, Self.page)
            fixture.server.setFault(BookingServer.gateway(answer, carryingOutAfter: lists))
            _ = try await client.result(method, fixture.change(of: id, to: target, method))
            let sent = fixture.server.requests("PATCH") + fixture.server.requests("DELETE")
            #expect(sent.count == 1 && fixture.server.state.entries[0].version == 2)
        }
    }

    @Test("a server that honors keys gets the booking again, but not after a timeout")
    func honored() async throws {
        for (status, attempts) in [(502, 2), (504, 1)] {
            let fixture = try fixture { request, state in
                let isFirst = state.requests.count { $0.method == "POST" } == 1
                guard request.method == "POST", isFirst else { return nil }
                if status == 504 { state.delayed.append((request, 2)) }
                return .reply(status, Self.page)
            }
            fixture.server.update { $0.statesKeys = true }
            let (time, params) = fixture.booking()
            _ = try await fixture.client().result("appointments/book", params)
            #expect(fixture.server.requests("POST").count == attempts)
            #expect(fixture.server.state.count(at: time) == 1)
        }
    }
}
