import JSON
import JSONRPC
import JSONRPCTestSupport
import Testing

@testable import MCP

@Suite("Requests during a change", .timeLimit(.minutes(10)))
struct ConcurrencyTests {
    /// A client whose server also has a method that changes the data `a` until the stream ends.
    private func client(_ end: AsyncStream<Void>) throws -> Client {
        let change = Method(
            "change",
            "Changes a.",
            result: .init("nothing", "nothing"),
            effect: .changes(),
            data: DataAccess(changes: ["a"])
        ) { _ in
            for await _ in end {}
            return JSONFragment { $0.string("changed") }
        }
        return try Client([change])
    }

    @Test("reading a resource waits for changes to its data, but not for other changes")
    func resources() async throws {
        let (end, continuation) = AsyncStream<Void>.makeStream()
        let client = try client(end)
        client.send("change")
        client.send("resources/read", #""uri":"test://a""#)
        let other = try await client.request("resources/read", #""uri":"test://b""#)
        #expect(other["result", "contents", "0", "text"] == #""\"b\"""#)
        let item = try await client.request("resources/read", #""uri":"test://items/x""#)
        #expect(item["result", "contents", "0", "text"] == #""\"x\"""#)
        continuation.finish()
        #expect(try await client.message()["result"] == "\"changed\"")
        let own = try await client.message()
        #expect(own["result", "contents", "0", "text"] == #""\"a\"""#)
        client.connection.endInput()
    }

    @Test("a resource that may read all data waits for changes, even if its URI fits a template")
    func resourceLikeTemplate() async throws {
        let (end, continuation) = AsyncStream<Void>.makeStream()
        let client = try client(end)
        client.send("change")
        client.send("resources/read", #""uri":"test://items/all""#)
        let item = try await client.request("resources/read", #""uri":"test://items/x""#)
        #expect(item["result", "contents", "0", "text"] == #""\"x\"""#)
        continuation.finish()
        #expect(try await client.message()["result"] == "\"changed\"")
        let all = try await client.message()
        #expect(all["result", "contents", "0", "text"] == #""\"all\"""#)
        client.connection.endInput()
    }

    @Test("a ping does not wait for changes")
    func ping() async throws {
        let (end, continuation) = AsyncStream<Void>.makeStream()
        let client = try client(end)
        client.send("change")
        #expect(try await client.request("ping")["result"] == "{}")
        continuation.finish()
        #expect(try await client.message()["result"] == "\"changed\"")
        client.connection.endInput()
    }

    @Test("initialize does not wait for changes to other data")
    func initialize() async throws {
        let (end, continuation) = AsyncStream<Void>.makeStream()
        let client = try client(end)
        client.send("change")
        let reply = try await client.initialize("2025-06-18")
        #expect(reply.string("result", "protocolVersion") == "2025-06-18")
        continuation.finish()
        #expect(try await client.message()["result"] == "\"changed\"")
        client.connection.endInput()
    }
}
