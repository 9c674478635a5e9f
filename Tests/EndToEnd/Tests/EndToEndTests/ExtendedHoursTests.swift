import JSON
import Testing

@Suite("Opening hours that changed since they were cached", .throttled, .timeLimit(.minutes(10)))
struct ExtendedHoursTests {
    /// A client that has cached a salon that is open from 9 to 20, and a booking at 21:00.
    private func scenario() async throws -> (BookingFixture, Novablend, booking: String) {
        let fixture = try BookingFixture()
        fixture.server.update { $0.hours = (9, 20) }
        let client = try fixture.client()
        _ = try await client.result("salons/list")
        return (fixture, client, fixture.params(at: fixture.date(at: "21:00:00")))
    }

    @Test("a booking within the extended hours is sent: the salon is reloaded before a rejection")
    func extended() async throws {
        let (fixture, client, booking) = try await scenario()
        fixture.server.update { $0.hours = (9, 22) }
        _ = try await client.result("appointments/book", booking)
        #expect(fixture.server.requests("POST").count == 1)
    }

    @Test("a booking is not sent if the reloaded salon is closed at that time")
    func unchanged() async throws {
        let (fixture, client, booking) = try await scenario()
        let count = fixture.server.requests("GET").count { $0.path == "/salons" }
        #expect(try await client.failure("appointments/book", booking).code == 1_203)
        #expect(fixture.server.requests("POST").isEmpty)
        #expect(fixture.server.requests("GET").count { $0.path == "/salons" } > count)
    }

    @Test("the booking is sent if the salon cannot be reloaded", arguments: [true, false])
    func unreachable(accepts: Bool) async throws {
        let (fixture, client, booking) = try await scenario()
        fixture.server.setFault { request, _ in
            if request.path == "/salons" { return .hangUp }
            if accepts || request.method != "POST" { return nil }
            return .reply(422, #"{"error":"outsideOpeningHours"}"#)
        }
        let reply = try await client.call("appointments/book", booking)
        #expect((reply["result"] != nil) == accepts, "\(reply.text)")
        #expect(accepts || reply.text.contains(#""code":1203"#))
        #expect(fixture.server.requests("POST").count == 1)
    }
}
