import JSON
import Testing

@Suite("Resolving one key", .throttled, .timeLimit(.minutes(10)))
struct ResolveKeyTests {
    @Test("reports an outcome that was known before, and nothing for a key that was not sent")
    func known() async throws {
        let fixture = try BookingFixture(BookingServer.losesRequests)
        let client = try fixture.client()
        let doubts = try await [
            client.callInDoubt("appointments/book", fixture.booking(key: "first").params),
            client.callInDoubt("appointments/book", fixture.booking(key: "second").params),
        ]
        for key in doubts {
            let own = #"{"idempotencyKey":"\#(key)"}"#
            #expect(try await client.resolutions(own) == [key: "inDoubt"])
        }
        let unknown = try await client.result(
            "appointments/resolve",
            #"{"idempotencyKey":"third"}"#
        )
        #expect(try unknown.required("resolutions").array().count == 0)
        let hint = try unknown.required("hint").string()
        #expect(hint.contains("not known here") && hint.contains("does not mean"), "\(hint)")
        #expect(hint.contains("list of appointments"), "\(hint)")
        // The observer finds out that they are absent when it starts.
        let observer = try fixture.client(minutesLater: 5)
        while try await !observer.openKeys().isEmpty {}
        #expect(try await observer.resolutions().isEmpty)
        #expect(
            try await observer.resolutions(#"{"idempotencyKey":"first"}"#) == ["first": "notFound"]
        )
    }

    @Test("reports a booking that was done, also in a preview")
    func done() async throws {
        let fixture = try BookingFixture { _, _ in nil }
        let client = try fixture.client()
        _ = try await client.result("appointments/book", fixture.booking(key: "done").params)
        #expect(try await client.resolutions().isEmpty)
        for preview in ["", #","dryRun":true"#] {
            let found = try await client.resolutions(#"{"idempotencyKey":"done"\#(preview)}"#)
            #expect(found == ["done": "booked"])
        }
    }

    /// The resolution of the key `done`.
    private func resolution(_ client: Novablend, _ more: String = "") async throws -> JSONObject {
        let params = #"{"idempotencyKey":"done"\#(more)}"#
        let reply = try await client.result("appointments/resolve", params)
        #expect(reply["hint"] == nil)
        let list = try reply.required("resolutions").array().map { try $0.object() }
        #expect(list.count == 1)
        return try #require(list.first)
    }

    @Test("shows the present state beside the stored outcome, online and offline")
    func present() async throws {
        let fixture = try BookingFixture()
        let client = try fixture.client()
        let (time, params) = fixture.booking(key: "done")
        let booked = try await client.result("appointments/book", params)
        let id = try booked.required("appointment").object().required("id").string()
        func state(_ more: String = "") async throws -> JSONObject {
            let found = try await resolution(client, more)
            #expect(try found.required("outcome").string() == "booked")
            let stored = try found.required("appointment").object()
            #expect(try stored.required("appointmentTime").string() == time)
            return try found.required("present").object()
        }
        let unchanged = try await state()
        #expect(try unchanged.required("state").string() == "unchanged")
        #expect(unchanged["appointment"] == nil && unchanged["asOf"] != nil)
        let target = fixture.booking().time
        _ = try await client.result(
            "appointments/reschedule",
            #"{"id":"\#(id)","appointmentTime":"\#(target)"}"#
        )
        let moved = try await state()
        #expect(try moved.required("state").string() == "moved")
        let now = try moved.required("appointment").object()
        #expect(try now.required("appointmentTime").string() == target && now["start"] != nil)
        _ = try await client.result("appointments/cancel", #"{"id":"\#(id)"}"#)
        #expect(try await state().required("state").string() == "cancelled")
        // A preview sends nothing, and tells how old the cached state is.
        let preview = try await state(#","dryRun":true"#)
        #expect(try preview.required("state").string() == "cancelled" && preview["asOf"] != nil)
    }
}
