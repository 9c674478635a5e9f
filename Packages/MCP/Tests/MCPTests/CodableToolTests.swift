import JSON
import JSONRPC
import MCP
import Testing

@Suite("Tools with Codable types", .timeLimit(.minutes(10)))
struct CodableToolTests {
    private struct Numbers: Codable { var numbers: [Int] }

    private struct Sum: Codable, Equatable { var sum: Int }

    private struct Token: Codable, Equatable { var progressToken: String }

    private static func makeAdd() throws -> Tool {
        Tool(
            Method(
                "add",
                "Adds numbers.",
                parameters: try .properties(of: Numbers.self),
                result: .init("sum", "the sum", schema: try ObjectSchema(decoding: Sum.self))
            ) { (input: Numbers, _) in
                Sum(sum: input.numbers.reduce(0, +))
            }
        )
    }

    /// Connects to a server in this process that has one tool.
    private func connect(_ tool: Tool) async throws -> MCPClient {
        let (near, far) = try Transport.makePair()
        let server = MCPServer(
            serverInfo: Implementation(name: "server", version: "1"),
            tools: [tool]
        )
        server.makeConnection(over: far).start()
        let info = Implementation(name: "test", version: "1")
        return try await MCPClient.connect(over: near, clientInfo: info)
    }

    @Test("the arguments are decoded, and the result is encoded")
    func sum() async throws {
        let client = try await connect(Self.makeAdd())
        let arguments = try ObjectFragment(encoding: Numbers(numbers: [1, 2, 3]))
        let result = try await client.callTool("add", arguments)
        #expect(try result.structuredContent?.decode(Sum.self) == Sum(sum: 6))
        await client.close()
    }

    @Test("reserved names in the arguments are ignored, unless the tool declares them")
    func reservedNames() async throws {
        let echo = Method(
            "echo",
            "Returns its argument.",
            parameters: try .properties(of: Token.self),
            result: .init("token", "the argument")
        ) { (token: Token, _) in token }
        let client = try await connect(Tool(echo))
        let arguments = ObjectFragment { writer in
            writer.member("progressToken", "a")
            writer.member("_meta", JSONFragment.emptyObject)
        }
        let result = try await client.callTool("echo", arguments)
        let token = try result.structuredContent?.decode(Token.self)
        #expect(token == Token(progressToken: "a"), "\(result.text)")
        await client.close()
    }

    @Test("an argument of the wrong type is an error with its name")
    func wrongType() async throws {
        let client = try await connect(Self.makeAdd())
        let arguments = try ObjectFragment(encoding: ["numbers": [1.5]])
        let result = try await client.callTool("add", arguments)
        #expect(result.isError && result.text.contains("numbers[0] must be an integer"))
        await client.close()
    }

    @Test("a result that is not encoded as an object is an error")
    func notAnObject() async throws {
        let add = Method("add", "Adds.", parameters: [], result: .init("sum", "the sum")) {
            (_: [String: Int], _) in [6]
        }
        let client = try await connect(Tool(add))
        let result = try await client.callTool("add")
        #expect(result.isError && result.text.contains("must be an object"))
        await client.close()
    }

    @Test("the task of a call that the client cancels is cancelled")
    func cancellation() async throws {
        let (events, continuation) = AsyncStream<String>.makeStream()
        let wait = Method("wait", "Waits.", parameters: [], result: .init("sum", "none")) {
            (_: [String: Int], _) in
            continuation.yield("started")
            defer { continuation.yield(Task.isCancelled ? "cancelled" : "finished") }
            try await Task.sleep(for: .seconds(3_600))
            return Sum(sum: 0)
        }
        let client = try await connect(Tool(wait))
        let call = Task { try await client.callTool("wait") }
        var iterator = events.makeAsyncIterator()
        #expect(await iterator.next() == "started")
        call.cancel()
        #expect(await iterator.next() == "cancelled")
        await #expect(throws: RPCError.requestCancelled) { try await call.value }
        await client.close()
    }
}
