import JSON
import Testing

@Suite("A booking that is answered with Retry-After", .throttled, .timeLimit(.minutes(10)))
struct BusyServerTests {
    @Test("a pause that is too long is left to the caller: one attempt, in doubt, with the pause")
    func longPause() async throws {
        let fixture = try BookingFixture { request, _ in
            request.method == "POST" ? .reply(503, headers: ["Retry-After": "120"]) : nil
        }
        let client = try fixture.client()
        let failure = try await client.failure("appointments/book", fixture.booking().params)
        #expect(failure.code == 1_206)
        #expect(try failure.data?.required("idempotencyKey").string() == BookingFixture.key)
        #expect(try failure.data?.optional("retryAfterSeconds")?.integer() == 120)
        #expect(fixture.server.requests("POST").count == 1)
        #expect(try await client.openKeys() == [BookingFixture.key])
    }

    @Test("after a short pause the booking is sent again under the same key")
    func shortPause() async throws {
        let fixture = try BookingFixture { request, state in
            let isFirst = state.requests.count { $0.method == "POST" } == 1
            guard request.method == "POST", isFirst else { return nil }
            return .reply(503, headers: ["Retry-After": "1"])
        }
        _ = try await fixture.client().result("appointments/book", fixture.booking().params)
        #expect(fixture.server.requests("POST").map(\.key) == ["key-1", "key-1"])
    }
}
