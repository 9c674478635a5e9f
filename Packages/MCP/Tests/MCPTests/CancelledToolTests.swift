import JSON
import JSONRPC
import JSONRPCTestSupport
import Testing

@testable import MCP

/// A tool that may have changed data when its call is cancelled.
@Suite("A cancelled call of a tool", .timeLimit(.minutes(10)))
struct CancelledToolTests {
    /// A server whose tool reports progress, waits for `gate`, reports again, and fails in doubt.
    private func client(
        _ gate: AsyncStream<Void>,
        onCancel: @escaping @Sendable () -> Void
    ) throws -> Client {
        let method = Method(
            "book",
            "Books.",
            result: .init("nothing", "nothing"),
            effect: .changes()
        ) { call throws(RPCError) in
            call.report("sending")
            await withTaskCancellationHandler {
                for await _ in gate {}
            } onCancel: {
                onCancel()
            }
            call.report("looking")
            throw RPCError(code: 1_206, message: "in doubt")
        }
        return try Client(
            MCPServer(
                serverInfo: Implementation(name: "t", version: "1"),
                tools: [Tool(method)]
            )
        )
    }

    @Test("in the older revisions, it still says what it did")
    func older() async throws {
        let (gate, end) = AsyncStream<Void>.makeStream()
        let client = try client(gate) { end.finish() }
        defer { client.connection.endInput() }
        let id = client.send("tools/call", #""name":"book","progressToken":"p""#)
        #expect(try await client.message().string("params", "message") == "sending")
        client.notify("notifications/cancelled", #""requestId":\#(id)"#)
        let reply = try await client.message()
        #expect(reply["id"] == "\(id)" && reply.toolError?["code"] == "1206")
    }

    @Test("in the newest revision, nothing further is sent")
    func newest() async throws {
        let (gate, end) = AsyncStream<Void>.makeStream()
        let client = try client(gate) { end.finish() }
        defer { client.connection.endInput() }
        let id = client.send("tools/call", #""name":"book","progressToken":"p""#, Client.newest)
        #expect(try await client.message().string("params", "message") == "sending")
        client.notify("notifications/cancelled", #""requestId":\#(id)"#)
        // This call waits until the cancelled one has ended, and its gate is open.
        let second = client.send("tools/call", #""name":"book""#, Client.newest)
        let next = try await client.message()
        #expect(next["id"] == "\(second)" && next.toolError?["code"] == "1206")
    }

    @Test("a cancellation of LSP is answered in every revision")
    func languageServer() async throws {
        let (gate, end) = AsyncStream<Void>.makeStream()
        let client = try client(gate) { end.finish() }
        defer { client.connection.endInput() }
        let id = client.send("tools/call", #""name":"book","progressToken":"p""#, Client.newest)
        #expect(try await client.message().string("params", "message") == "sending")
        client.notify("$/cancelRequest", #""id":\#(id)"#)
        let reply = try await client.message()
        #expect(reply["id"] == "\(id)" && reply.toolError?["code"] == "1206")
    }

    @Test(
        "_meta with members of the newest revision, but without the revision, is -32602",
        arguments: ["clientCapabilities", "clientInfo"]
    )
    func missingVersion(member: String) async throws {
        let client = try Client()
        defer { client.connection.endInput() }
        let meta = #""_meta":{"io.modelcontextprotocol/\#(member)":{}}"#
        for method in ["tools/list", "server/discover", "initialize"] {
            let reply = try await client.request(method, meta)
            #expect(reply["error", "code"] == "-32602", "\(method)")
            let message = reply.string("error", "message") ?? ""
            #expect(message.contains("io.modelcontextprotocol/protocolVersion"), "\(message)")
        }
        let other = try await client.request("tools/list", #""_meta":{"traceparent":"x"}"#)
        #expect(other["result"] != nil)
    }
}
