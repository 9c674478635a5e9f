import Testing

@Suite("Bookings that get 409", .throttled, .timeLimit(.minutes(10)))
struct StillProcessingTests {
    @Test(
        "a booking is repeated while the server responds that it is still processing it",
        arguments: [#"{"error":"stillProcessing"}"#, ""]
    )
    func repeated(body: String) async throws {
        let fixture = try BookingFixture()
        fixture.server.update { $0.statesKeys = true }
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

    @Test(
        "409 to a first booking at a time that someone else has is a rejection with the server's words",
        arguments: [
            (#"{"error":"taken"}"#, "taken"), (#"{"detail":"no chair"}"#, "no chair"),
            (#"{"title":"Conflict","detail":"no chair"}"#, "no chair"),
            (#"{"errors":[{"message":"no chair"}]}"#, "no chair"), ("no\nchair", #"no\nchair"#),
        ]
    )
    func someoneElse(body: String, words: String) async throws {
        let fixture = try BookingFixture()
        let booking = fixture.booking()
        fixture.server.setFault { request, state in
            state.entries = [.init(id: "a1", time: booking.time, phone: "+49 89 7654321")]
            return request.method == "POST" ? .reply(409, body) : nil
        }
        let client = try fixture.client()
        let failure = try await client.failure("appointments/book", booking.params)
        #expect(failure.code == 1_202 && failure.message.contains(words), "\(failure)")
        #expect(fixture.server.requests("POST").count == 1)
        #expect(try await client.openKeys().isEmpty)
    }

    @Test("a booking that was rejected with 409 is reported if it appears later")
    func appearsLater() async throws {
        let fixture = try BookingFixture { request, _ in
            request.method == "POST" ? .reply(409, #"{"error":"taken"}"#) : nil
        }
        let client = try fixture.client()
        let booking = fixture.booking()
        #expect(try await client.failure("appointments/book", booking.params).code == 1_202)
        #expect(fixture.server.requests("POST").count == 1)
        #expect(try await client.resolutions().isEmpty)
        fixture.server.update {
            $0.entries = [.init(id: "a1", time: booking.time, phone: "+49 30 1234567")]
        }
        #expect(try await client.resolutions() == [BookingFixture.key: "booked"])
    }

    @Test(
        "409 to a first booking that says that it is in progress is repeated",
        arguments: [
            (#"{"error":{"code":"idempotency_key_in_use"}}"#, nil),
            (#"{"type":"https://example.com/idempotency"}"#, nil), ("", "0"),
        ]
    )
    func inProgress(body: String, retryAfter: String?) async throws {
        let fixture = try BookingFixture { request, state in
            guard request.method == "POST",
                state.requests.count(where: { $0.method == "POST" }) == 1
            else { return nil }
            return .reply(409, body, headers: retryAfter.map { ["Retry-After": $0] } ?? [:])
        }
        // A delay alone does not say that the server honors keys.
        fixture.server.update { $0.statesKeys = retryAfter != nil }
        _ = try await fixture.client().result("appointments/book", fixture.booking().params)
        #expect(fixture.server.requests("POST").count == 2)
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
