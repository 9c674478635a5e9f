import Testing

@Suite("Bookings that get 409", .throttled, .timeLimit(.minutes(10)))
struct StillProcessingTests {
    @Test(
        "a booking is repeated while the server responds that it is still processing it",
        arguments: [#"{"error":"stillProcessing"}"#, ""]
    )
    func repeated(body: String) async throws {
        let fixture = try BookingFixture()
        let booking = fixture.booking()
        fixture.server.setFault { request, state in
            let sinceFirstAttempt = state.requests.drop { $0.method != "POST" }.count
            if sinceFirstAttempt == 1 { return .hangUp }
            if sinceFirstAttempt == 5 {
                state.entries = [.init(id: "a1", time: booking.time, phone: "+49 30 1234567")]
            }
            return request.method == "POST" ? .reply(409, body) : nil
        }
        let booked = try await fixture.client().result("appointments/book", booking.params)
        #expect(booked.text.contains(#""id":"a1""#))
        #expect(fixture.server.bookingKeys == [BookingFixture.key])
    }

    @Test("a first booking whose slot is taken is rejected without a second attempt")
    func taken() async throws {
        let fixture = try BookingFixture { request, _ in
            request.method == "POST" ? .reply(409, #"{"error":"slotUnavailable"}"#) : nil
        }
        let client = try fixture.client()
        let failure = try await client.failure("appointments/book", fixture.booking().params)
        #expect(failure.code == 1_202 && failure.name == "slotUnavailable")
        #expect(fixture.server.requests("POST").count == 1)
        #expect(try await client.openKeys().isEmpty)
    }
}
