import Testing

/// HTTP libraries resend a request if a reused connection is closed without a response. A server that
/// ignores idempotency keys then rejects the request that it has just processed.
@Suite("Responses lost on an open connection", .throttled, .timeLimit(.minutes(10)))
struct ResentRequestTests {
    @Test("a booking that the server processed before it hung up is reported as booked")
    func booking() async throws {
        let fixture = try BookingFixture(BookingServer.losesResponses)
        let client = try fixture.client()
        _ = try await client.result("appointments/list")
        let booking = fixture.booking()
        let booked = try await client.result("appointments/book", booking.params)
        #expect(booked.text.contains(booking.time))
        expectNoResend(fixture.server.requests("POST"))
    }

    @Test("a reschedule that the server processed before it hung up is reported as done")
    func reschedule() async throws {
        let fixture = try BookingFixture()
        let client = try fixture.client()
        let (id, target) = try await fixture.booked(through: client)
        fixture.server.setFault(BookingServer.losesResponses)
        let move = #"{"id":"\#(id)","appointmentTime":"\#(target)"}"#
        let moved = try await client.result("appointments/reschedule", move)
        #expect(moved.text.contains(target) && moved.text.contains(#""version":2"#))
        expectNoResend(fixture.server.requests("PATCH"))
    }

    @Test(
        "a cancellation that the server processed before it hung up is reported as done",
        arguments: [false, true]
    )
    func cancel(isRemoved: Bool) async throws {
        let fixture = try BookingFixture()
        fixture.server.update { $0.removesCancelled = isRemoved }
        let client = try fixture.client()
        let (id, _) = try await fixture.booked(through: client)
        fixture.server.setFault(BookingServer.losesResponses)
        let cancelled = try await client.result("appointments/cancel", #"{"id":"\#(id)"}"#)
        #expect(cancelled.text.contains(#""status":"cancelled""#))
        expectNoResend(fixture.server.requests("DELETE"))
    }

    /// libcurl resends only on a reused connection, so each attempt must use a new connection.
    private func expectNoResend(_ requests: [ReceivedRequest]) {
        #expect(!requests.isEmpty)
        #expect(requests.allSatisfy { $0.position == 0 })
    }
}
