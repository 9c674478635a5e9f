import JSON
import JSONRPC
import JSONRPCTestSupport
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
    private func connect(_ tool: Tool) throws -> RawConnection {
        let server = MCPServer(
            serverInfo: Implementation(name: "server", version: "1"),
            tools: [tool]
        )
        return try RawConnection { server.makeConnection(over: $0) }
    }

    /// The result of a call of the tool with these arguments, as text.
    private func result(of tool: Tool, _ arguments: String) async throws -> String {
        let client = try connect(tool)
        let params = #"{"name":"\#(tool.name)","arguments":\#(arguments)}"#
        client.send(#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":\#(params)}"# + "\n")
        return try #require(await client.line())
    }

    @Test("the arguments are decoded, and the result is encoded")
    func sum() async throws {
        let result = try await result(of: Self.makeAdd(), #"{"numbers":[1,2,3]}"#)
        #expect(result.contains(#""structuredContent":{"sum":6}"#))
    }

    @Test("reserved names in the arguments are ignored, unless the tool declares them")
    func reservedNames() async throws {
        let echo = Method(
            "echo",
            "Returns its argument.",
            parameters: try .properties(of: Token.self),
            result: .init("token", "the argument")
        ) { (token: Token, _) in token }
        let result = try await result(of: Tool(echo), #"{"progressToken":"a","_meta":{}}"#)
        #expect(result.contains(#""structuredContent":{"progressToken":"a"}"#), "\(result)")
    }

    @Test("an argument of the wrong type is an error with its name")
    func wrongType() async throws {
        let result = try await result(of: Self.makeAdd(), #"{"numbers":[1.5]}"#)
        #expect(result.contains(#""isError":true"#))
        #expect(result.contains("numbers[0] must be an integer"))
    }

    @Test("a result that is not encoded as an object is an error")
    func notAnObject() async throws {
        let add = Method("add", "Adds.", parameters: [], result: .init("sum", "the sum")) {
            (_: [String: Int], _) in [6]
        }
        let result = try await result(of: Tool(add), "{}")
        #expect(result.contains(#""isError":true"#) && result.contains("must be an object"))
    }

    @Test("the task of a call that the client cancels is cancelled, and the call has no reply")
    func cancellation() async throws {
        let (events, continuation) = AsyncStream<String>.makeStream()
        let wait = Method("wait", "Waits.", parameters: [], result: .init("sum", "none")) {
            (_: [String: Int], _) in
            continuation.yield("started")
            defer { continuation.yield(Task.isCancelled ? "cancelled" : "finished") }
            try await Task.sleep(for: .seconds(3_600))
            return Sum(sum: 0)
        }
        let client = try connect(Tool(wait))
        client.send(
            #"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"wait"}}"# + "\n"
        )
        var iterator = events.makeAsyncIterator()
        #expect(await iterator.next() == "started")
        let params = #"{"requestId":7}"#
        client.send(
            #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":\#(params)}"# + "\n"
        )
        #expect(await iterator.next() == "cancelled")
        client.send(#"{"jsonrpc":"2.0","id":8,"method":"ping"}"# + "\n")
        #expect(await client.line()?.contains(#""id":8"#) == true)
    }
}
