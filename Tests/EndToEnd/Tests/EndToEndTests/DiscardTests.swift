import Testing

@Suite("Discarding an intent", .throttled, .timeLimit(.minutes(10)))
struct DiscardTests {
    @Test(
        "the outcome is notBooked if the server voids the key, and discarded if it cannot",
        arguments: [(204, "notBooked"), (404, "discarded"), (405, "discarded")]
    )
    func discard(status: Int, outcome: String) async throws {
        let fixture = try BookingFixture { request, _ in
            switch request.method {
            case "POST": .hangUp
            case "DELETE": .reply(status)
            default: nil
            }
        }
        let client = try fixture.client()
        let key = try await client.callInDoubt("appointments/book", fixture.booking().params)
        #expect(try await client.resolutions(#"{"discard":"\#(key)"}"#) == [key: outcome])
        #expect(fixture.server.requests("DELETE").map(\.path) == ["/idempotency-keys/\(key)"])
        #expect(try await client.openKeys().isEmpty)
    }
}
