import Foundation
import JSON
import Testing

/// A booking whose call is cut short after the server has the POST, in every way that a client has.
@Suite("An interrupted booking", .throttled, .timeLimit(.minutes(10)))
struct InterruptedBookingTests {
    /// A server that has no lists and holds each POST open until the client closes it.
    private struct HoldingServer {
        let server: ScriptedServer
        private let arrivals: AsyncStream<Void>

        init() throws {
            let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
            self.arrivals = arrivals
            server = try ScriptedServer { connection in
                guard connection.request.hasPrefix("POST") else {
                    return .reply("404 Not Found", "")
                }
                arrived.yield()
                connection.waitForClose()
                return .hangUp
            }
        }

        func postArrived() async { for await _ in arrivals { break } }
    }

    private static let booking = Sample.booking(extra: #","idempotencyKey":"k1""#)

    /// Books at a server that does not answer; returns when the server has the booking.
    private func begin(_ method: String, _ params: String) async throws -> Novablend {
        try await beginAtServer(method, params).client
    }

    private func beginAtServer(
        _ method: String,
        _ params: String
    ) async throws -> (client: Novablend, url: String) {
        let server = try HoldingServer()
        let url = server.server.url + "/appointments"
        let client = try Novablend(["--appointments-url", url])
        client.send(1, method, params)
        await server.postArrived()
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
        "by the end of the input, or by SIGTERM, is in doubt, with its key, and the exit code is 0",
        arguments: [true, false]
    )
    func ended(byInput: Bool) async throws {
        let client = try await begin("appointments/book", Self.booking)
        if byInput { client.child.endInput() } else { client.child.terminate() }
        try expectInDoubt(await client.child.line())
        #expect(await client.child.exitCode() == 0)
    }

    @Test("by $/cancelRequest is in doubt, with its key")
    func cancelRequest() async throws {
        let client = try await begin("appointments/book", Self.booking)
        let cancel = #""method":"$/cancelRequest","params":{"id":1}"#
        client.child.send(#"{"jsonrpc":"2.0",\#(cancel)}"# + "\n")
        try expectInDoubt(await client.child.line())
    }

    @Test("by MCP's notifications/cancelled is in doubt: the tool's result has its key")
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

    @Test("without a key of the caller's is in doubt with the key that was made for it")
    func generatedKey() async throws {
        let client = try await begin("appointments/book", Sample.booking())
        client.child.endInput()
        let line = try #require(await client.child.line())
        let reply = try JSONDocument(parsing: Array(line.utf8)).root.object()
        let data = try reply.required("error").object().required("data").object()
        #expect(try data.required("name").string() == "bookingInDoubt")
        #expect(try !data.required("idempotencyKey").string().isEmpty)
    }

    @Test("keeps its intent: the next program started in its directories reports it")
    func intent() async throws {
        let (client, url) = try await beginAtServer("appointments/book", Self.booking)
        client.child.endInput()
        #expect(await client.child.exitCode() == 0)
        let later = try Novablend(["--appointments-url", url], in: client.directory)
        let open = try await later.result("appointments/resolve", #"{"dryRun":true}"#)
        #expect(open.text.contains(#""idempotencyKey":"k1""#))
    }

    @Test("that waits behind another was never sent: cancelled it is -32800, at the end retryable")
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
