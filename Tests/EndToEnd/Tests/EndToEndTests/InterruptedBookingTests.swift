import Foundation
import JSON
import Testing

/// A booking whose call is interrupted after the server has received the POST.
@Suite("An interrupted booking", .throttled, .timeLimit(.minutes(10)))
struct InterruptedBookingTests {
    private static let booking = Sample.booking(extra: #","idempotencyKey":"k1""#)

    /// Books at a server that has no lists and hangs on a POST. Returns when the POST has arrived.
    private func begin(_ method: String, _ params: String) async throws -> Novablend {
        try await beginAtServer(method, params).client
    }

    private func beginAtServer(
        _ method: String,
        _ params: String
    ) async throws -> (client: Novablend, url: String) {
        let server = try HangingServer { connection in
            connection.request.hasPrefix("POST") ? nil : .reply("404 Not Found", "")
        }
        let url = server.url + "/appointments"
        let client = try Novablend(["--appointments-url", url])
        client.send(1, method, params)
        await server.waitForRequest()
        return (client, url)
    }

    private func expectInDoubt(_ line: String?) throws {
        let reply = try JSONDocument(parsing: Array(try #require(line).utf8)).root.object()
        #expect(try reply.required("id").integer() == 1)
        let error = try reply.required("error").object()
        #expect(try error.required("code").integer() == 1_206)
        let data = try error.required("data").object()
        #expect(try data.required("name").string() == "bookingInDoubt")
        #expect(try data.required("idempotencyKey").string() == "k1")
    }

    @Test(
        "at the end of input or SIGTERM a booking is in doubt, with its key, and the exit code is 0",
        arguments: [true, false]
    )
    func ended(byInput: Bool) async throws {
        let client = try await begin("appointments/book", Self.booking)
        if byInput { client.child.endInput() } else { client.child.terminate() }
        try expectInDoubt(await client.child.line())
        #expect(await client.child.exitCode() == 0)
    }

    @Test("after $/cancelRequest a booking is in doubt, with its key")
    func cancelRequest() async throws {
        let client = try await begin("appointments/book", Self.booking)
        let cancel = #""method":"$/cancelRequest","params":{"id":1}"#
        client.child.send(#"{"jsonrpc":"2.0",\#(cancel)}"# + "\n")
        try expectInDoubt(await client.child.line())
    }

    @Test("after notifications/cancelled a booking is in doubt, and the tool result has its key")
    func mcpCancel() async throws {
        let tool = #"{"name":"appointments_book","arguments":\#(Self.booking)}"#
        let client = try await begin("tools/call", tool)
        let cancel = #""method":"notifications/cancelled","params":{"requestId":1}"#
        client.child.send(#"{"jsonrpc":"2.0",\#(cancel)}"# + "\n")
        let line = try #require(await client.child.line())
        let reply = try JSONDocument(parsing: Array(line.utf8)).root.object()
        let result = try reply.required("result").object()
        #expect(try result.required("isError").bool())
        let error = try result.toolError()
        #expect(try error.required("code").integer() == 1_206)
        let data = try error.required("data").object()
        #expect(try data.required("idempotencyKey").string() == "k1")
    }

    @Test("in revision 2026-07-28 nothing is sent after it, and appointments_resolve has the key")
    func newestCancel() async throws {
        let meta =
            #""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","#
            + #""io.modelcontextprotocol/clientCapabilities":{}}"#
        let tool = #"{"name":"appointments_book","arguments":\#(Self.booking),\#(meta)}"#
        let client = try await begin("tools/call", tool)
        let cancel = #""method":"notifications/cancelled","params":{"requestId":1}"#
        client.child.send(#"{"jsonrpc":"2.0",\#(cancel)}"# + "\n")
        // This call waits for the booking, so the booking has ended before its response.
        client.send(2, "appointments/resolve", #"{"dryRun":true}"#)
        let line = try #require(await client.child.line())
        #expect(line.contains(#""id":2,"result""#) && line.contains(#""idempotencyKey":"k1""#))
    }

    @Test("a booking without a key is in doubt with the generated key")
    func generatedKey() async throws {
        let client = try await begin("appointments/book", Sample.booking())
        client.child.endInput()
        let line = try #require(await client.child.line())
        let reply = try JSONDocument(parsing: Array(line.utf8)).root.object()
        let data = try reply.required("error").object().required("data").object()
        #expect(try data.required("name").string() == "bookingInDoubt")
        #expect(try !data.required("idempotencyKey").string().isEmpty)
    }

    @Test("the intent stays open, and the next process in the same directories reports it")
    func intent() async throws {
        let (client, url) = try await beginAtServer("appointments/book", Self.booking)
        client.child.endInput()
        #expect(await client.child.exitCode() == 0)
        let later = try Novablend(["--appointments-url", url], in: client.directory)
        let open = try await later.result("appointments/resolve", #"{"dryRun":true}"#)
        #expect(open.text.contains(#""idempotencyKey":"k1""#))
    }

    @Test("a waiting booking is never sent: cancelled it is -32800, and at the end of input -32001")
    func waiting() async throws {
        let client = try await begin("appointments/book", Self.booking)
        client.send(2, "appointments/book", Sample.booking(hour: 13))
        client.send(3, "appointments/book", Sample.booking(hour: 14))
        let cancel = #""method":"$/cancelRequest","params":{"id":2}"#
        client.child.send(#"{"jsonrpc":"2.0",\#(cancel)}"# + "\n")
        let cancelled = try #require(await client.child.line())
        #expect(cancelled.contains(#""id":2,"#) && cancelled.contains("-32800"))
        client.child.endInput()
        let rest = await client.child.remainingOutput().split(separator: "\n").sorted()
        try #require(rest.count == 2, "\(rest)")
        try expectInDoubt(String(rest[0]))
        #expect(rest[1].contains("-32001") && rest[1].contains(#""retryable":true"#))
    }
}
