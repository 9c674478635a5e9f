import JSON
import Testing

@Suite("Responses that do not confirm a booking", .throttled, .timeLimit(.minutes(10)))
struct DeniedConfirmationTests {
    /// What a server adds to its echo of the request.
    private static let denials = [
        #""error":"slotUnavailable""#, #""ok":false"#, #""status":"rejected""#,
        #""status":"failed""#, #""status":"pending""#, #""status":"waitlisted""#,
        #""idempotencyKey":"other""#,
    ]

    /// A server that stores nothing and answers a booking with this body.
    private static func answering(
        _ status: Int = 201,
        _ body: @escaping @Sendable (ReceivedRequest) -> String
    ) -> BookingServer.Fault {
        { request, _ in request.method == "POST" ? .reply(status, body(request)) : nil }
    }

    @Test("an echo that says no leaves the booking in doubt", arguments: denials, [200, 201])
    func denied(member: String, status: Int) async throws {
        let fixture = try BookingFixture(
            Self.answering(status) { "\($0.body.dropLast()),\(member)}" }
        )
        let client = try fixture.client()
        let key = try await client.callInDoubt("appointments/book", fixture.booking().params)
        #expect(try await client.openKeys() == [key])
        #expect(fixture.server.requests("POST").count == 1)
    }

    @Test(
        "a response that does not name the booking leaves it in doubt, with the server's words",
        arguments: [
            (#"{"id":"req-7","error":"no chair is free"}"#, "no chair is free"),
            (#"{"phone":"+49 30 1234567"}"#, "does not show"),
            (#"{"id":"req-7"}"#, "does not show"),
        ]
    )
    func unnamed(body: String, words: String) async throws {
        let fixture = try BookingFixture(Self.answering { _ in body })
        let failure = try await fixture.client().failure(
            "appointments/book",
            fixture.booking().params
        )
        #expect(failure.code == 1_206 && failure.message.contains(words), "\(failure)")
    }

    @Test("the usual words for booked confirm a booking", arguments: ["confirmed", "Scheduled"])
    func confirmed(status: String) async throws {
        let fixture = try BookingFixture(
            Self.answering { #"\#($0.body.dropLast()),"status":"\#(status)"}"# }
        )
        _ = try await fixture.client().result("appointments/book", fixture.booking().params)
    }

    @Test("the second of two bookings is not confirmed with the appointment of the first")
    func firstAgain() async throws {
        let fixture = try BookingFixture()
        let client = try fixture.client()
        let time = fixture.booking().time
        _ = try await client.result("appointments/book", fixture.params(at: time, key: "one"))
        fixture.server.setFault(Self.answering { #"\#($0.body.dropLast()),"id":"a1"}"# })
        let second = fixture.params(at: time, key: "two")
        #expect(try await client.callInDoubt("appointments/book", second) == "two")
    }

    @Test("a booking that is listed as cancelled under its key is not booked")
    func cancelled() async throws {
        let fixture = try BookingFixture()
        let booking = fixture.booking()
        fixture.server.setFault { request, _ in
            if request.method == "POST" { return .hangUp }
            guard request.path == "/appointments" else { return nil }
            let entry =
                #"{"salonId":"\#(Sample.salon)","appointmentTime":"\#(booking.time)","#
                + #""id":"a1","status":"cancelled","idempotencyKey":"\#(BookingFixture.key)"}"#
            return .reply(200, #"{"appointments":[\#(entry)]}"#)
        }
        let client = try fixture.client()
        let failure = try await client.failure("appointments/book", booking.params)
        #expect(failure.code == 1_003 && failure.message.contains("cancelled"), "\(failure)")
        #expect(try await client.openKeys().isEmpty)
    }

    @Test("an appointment with an unknown status is listed with it")
    func listed() async throws {
        let fixture = try BookingFixture()
        let booking = fixture.booking()
        fixture.server.setFault { request, state in
            guard request.method == "GET", request.path == "/appointments" else { return nil }
            state.entries = [.init(id: "a1", time: booking.time, phone: "+49 30 1234567")]
            return .reply(
                200,
                state.appointmentList.replacing("}]", with: #","status":"waitlisted"}]"#)
            )
        }
        let list = try await fixture.client().result("appointments/list")
        #expect(list.text.contains(#""status":"waitlisted""#))
    }

    @Test("a confirmation that is too large for the journal closes the intent all the same")
    func large() async throws {
        let note = String(repeating: "x", count: 1_200_000)
        let fixture = try BookingFixture(
            Self.answering { #"\#($0.body.dropLast()),"id":"a1","notes":"\#(note)"}"# }
        )
        let client = try fixture.client()
        let params = fixture.booking().params
        _ = try await client.result("appointments/book", params)
        #expect(try await client.openKeys().isEmpty)
        let again = try await client.result("appointments/book", params)
        #expect(again.text.contains(#""id":"a1""#) && fixture.server.requests("POST").count == 1)
    }
}
