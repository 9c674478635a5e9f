import Foundation
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

    @Test(
        "a response from something else than the server of the keys leaves the doubt",
        arguments: [
            (200, "<html>Sign in</html>"), (200, ""), (202, ""), (409, ""),
            (409, #"{"error":"taken"}"#), (302, ""), (500, ""),
        ]
    )
    func unclear(status: Int, body: String) async throws {
        let fixture = try BookingFixture { request, _ in
            switch request.method {
            case "POST": .hangUp
            case "DELETE": .reply(status, body)
            default: nil
            }
        }
        let client = try fixture.client()
        let key = try await client.callInDoubt("appointments/book", fixture.booking().params)
        #expect(try await client.resolutions(#"{"discard":"\#(key)"}"#) == [key: "inDoubt"])
        #expect(try await client.openKeys() == [key])
        let cached = try await client.result("appointments/list")
        #expect(!cached.text.contains("appointmentTime"))
    }

    @Test("a key that was used is booked, unless the appointment is not the requested one")
    func used() async throws {
        for (extra, outcome) in [("", "booked"), (#","status":"waitlisted""#, "inDoubt")] {
            let fixture = try BookingFixture { request, state in
                let sent = state.requests.first { $0.method == "POST" }?.body.dropLast() ?? ""
                return switch request.method {
                case "POST": .hangUp
                case "DELETE":
                    .reply(
                        409,
                        #"{"error":"keyUsed","appointment":\#(sent),"id":"a1"\#(extra)}}"#
                    )
                default: nil
                }
            }
            let client = try fixture.client()
            let key = try await client.callInDoubt("appointments/book", fixture.booking().params)
            #expect(try await client.resolutions(#"{"discard":"\#(key)"}"#) == [key: outcome])
        }
    }

    @Test(
        "a key that cannot be part of a path is discarded without a request",
        arguments: [".", ".."]
    )
    func dots(key: String) async throws {
        let fixture = try Self.fixture()
        let client = try fixture.client()
        let params = fixture.booking(key: key).params
        try await client.callInDoubt("appointments/book", params)
        #expect(try await client.resolutions(#"{"discard":"\#(key)"}"#) == [key: "discarded"])
        #expect(fixture.server.requests("DELETE").isEmpty)
    }

    @Test("a dry run accepts the key of every open intent, and no other key")
    func dryRun() async throws {
        let fixture = try Self.fixture()
        let later = try await fixture.observer()
        let params = fixture.booking().params
        let key = try await fixture.client().callInDoubt("appointments/book", params)
        #expect(try await later.resolutions() == [key: "notFound"])
        let discard = #"{"discard":"\#(key)","dryRun":true}"#
        #expect(try await later.resolutions(discard) == [key: "inDoubt"])
        for key in ["other", "k\(key)"] {
            let unknown = #"{"discard":"\#(key)","dryRun":true}"#
            let failure = try await later.failure("appointments/resolve", unknown)
            #expect(failure.code == -32_602 && failure.message.contains("discard"))
        }
        #expect(fixture.server.requests("DELETE").isEmpty)
    }

    @Test(
        "an agent's user is asked before a discard, but not before a resolution",
        arguments: ElicitationClient.Generation.allCases
    )
    func confirmation(generation: ElicitationClient.Generation) async throws {
        let fixture = try Self.fixture()
        let novablend = try fixture.client()
        let client = try await ElicitationClient(novablend, generation)
        let params = fixture.booking().params
        let key = try await novablend.callInDoubt("appointments/book", params)
        #expect(try await client.call("appointments_resolve", "{}").question == nil)
        let unknown = try await client.call("appointments_resolve", #"{"discard":"other"}"#)
        #expect(try unknown.errorName == "invalidParams", "\(unknown)")
        let asked = try await client.call("appointments_resolve", #"{"discard":"\#(key)"}"#)
        let lines = try #require(asked.question).components(separatedBy: "\n")
        #expect(lines[0] == "Discard this booking without knowing whether it was done?")
        #expect(lines.contains("Phone: +49 30 1234567") && lines.last == "Key: \(key)")
        #expect(fixture.server.requests("DELETE").isEmpty)
        let result = try await client.confirm(asked).result
        #expect(result?.text.contains("notBooked") == true)
        #expect(try await novablend.openKeys().isEmpty)
    }

    /// A server that loses bookings and voids every key.
    private static func fixture() throws -> BookingFixture {
        try BookingFixture { request, _ in
            switch request.method {
            case "POST": .hangUp
            case "DELETE": .reply(204)
            default: nil
            }
        }
    }
}
