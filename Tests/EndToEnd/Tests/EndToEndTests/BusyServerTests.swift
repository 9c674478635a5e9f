import JSON
import Testing

@Suite("Bookings that get Retry-After", .throttled, .timeLimit(.minutes(10)))
struct BusyServerTests {
    @Test(
        "after one attempt with a long Retry-After, the booking is in doubt and the error has the delay"
    )
    func longDelay() async throws {
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

    @Test("after an error of the contract with a short Retry-After the booking is sent again")
    func shortDelay() async throws {
        let fixture = try BookingFixture { request, state in
            let isFirst = state.requests.count { $0.method == "POST" } == 1
            guard request.method == "POST", isFirst else { return nil }
            let body = #"{"error":"overloaded","message":"busy"}"#
            return .reply(503, body, headers: ["Retry-After": "1"])
        }
        _ = try await fixture.client().result("appointments/book", fixture.booking().params)
        #expect(fixture.server.requests("POST").map(\.key) == ["key-1", "key-1"])
    }
}
