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
        #expect(try await client.resolutions(#"{"idempotencyKey":"third"}"#).isEmpty)
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
}
