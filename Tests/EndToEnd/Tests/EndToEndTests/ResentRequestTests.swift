import Testing

/// An HTTP library resends a request when a connection that it reused is closed without an answer. A
/// server that ignores idempotency keys then rejects what it has just done.
@Suite("Answers lost on a warm connection", .throttled, .timeLimit(.minutes(10)))
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
        "a cancellation that the server processed before it hung up is reported as done, also when the list no longer has the appointment",
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

    /// libcurl resends on a reused connection only: every attempt must be the first request on its own.
    private func expectNoResend(_ requests: [ReceivedRequest]) {
        #expect(!requests.isEmpty)
        #expect(requests.allSatisfy { $0.position == 0 })
    }
}
