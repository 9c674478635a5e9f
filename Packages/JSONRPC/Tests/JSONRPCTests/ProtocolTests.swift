import JSON
import JSONRPC
import JSONRPCTestSupport
import SystemTestSupport
import Testing

@Suite("JSON-RPC 2.0", .timeLimit(.minutes(10)))
struct ProtocolTests {
    private func exchange(_ input: String, framing: FramingMode = .lines) async throws -> [String] {
        let server = try TestServer(framing: framing)
        let connection = server.connection
        // Sending more than the pipe holds blocks, and the server needs the threads of the pool.
        async let sent: Void = onThread {
            connection.send(input + "\n")
            connection.endInput()
        }
        let output = await connection.rest()
        await sent
        #expect(await connection.terminationReason() == .endOfInput)
        return output.split(separator: "\n").map(String.init)
    }

    private func code(_ reply: String?) -> String? {
        reply?.split(separator: "\"code\":").dropFirst().first?.split(separator: ",").first
            .map(String.init)
    }

    @Test("a request gets a reply with its result")
    func request() async throws {
        let replies = try await exchange(#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#)
        #expect(replies == [#"{"jsonrpc":"2.0","id":1,"result":null}"#])
    }

    @Test(
        "ids are echoed byte for byte",
        arguments: [
            "1", "\"a\"", "9223372036854775808", "1.50", "-0", "1e2", "null", #""\u0041\n""#,
            "\"\"",
        ]
    )
    func ids(id: String) async throws {
        let replies = try await exchange(#"{"jsonrpc":"2.0", "id" : \#(id) ,"method":"ping"}"#)
        #expect(replies == [#"{"jsonrpc":"2.0","id":\#(id),"result":null}"#])
    }

    @Test("a notification gets no reply, even if its method is unknown")
    func notification() async throws {
        let unknown = #"{"jsonrpc":"2.0","method":"unknown"}"#
        #expect(try await exchange(#"{"jsonrpc":"2.0","method":"ping"}"# + "\n" + unknown).isEmpty)
    }

    @Test(
        "a message that is not JSON is -32700 with a null id, and the connection continues",
        arguments: [
            "{", "nope", "{\"jsonrpc\":\"2.0\",}", "[1,", "{\"id\":1e400}",
            "{\"id\":\"\\ud800\"}", String(repeating: "[", count: 100_000),
        ]
    )
    func parseErrors(text: String) async throws {
        let replies = try await exchange(text + "\n" + #"{"jsonrpc":"2.0","id":2,"method":"ping"}"#)
        #expect(code(replies.first) == "-32700")
        #expect(replies.first?.contains("\"id\":null") == true)
        #expect(replies.last == #"{"jsonrpc":"2.0","id":2,"result":null}"#)
    }

    @Test(
        "JSON that is not a request is -32600",
        arguments: [
            ("42", "null"), ("\"x\"", "null"), ("null", "null"), ("{}", "null"),
            (#"{"id":1,"method":"ping"}"#, "1"),
            (#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, "1"),
            (#"{"jsonrpc":"2.0","id":1,"method":7}"#, "1"),
            (#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, "null"),
            (#"{"jsonrpc":"2.0","id":1,"method":"ping","params":3}"#, "1"),
            (#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#, "null"),
        ]
    )
    func invalidRequests(text: String, id: String) async throws {
        let replies = try await exchange(text)
        #expect(replies.count == 1)
        #expect(code(replies.first) == "-32600")
        #expect(replies.first?.contains("\"id\":\(id),") == true)
    }

    @Test("an unknown method is -32601, with its name and the advice of the table")
    func unknownMethod() async throws {
        let replies = try await exchange(#"{"jsonrpc":"2.0","id":1,"method":"things/list"}"#)
        #expect(code(replies.first) == "-32601")
        let message = #""message":"Method not found: things/list; ask a colleague""#
        #expect(replies.first?.contains(message) == true)
    }

    @Test(
        "params may be named or positional, and may include reserved ones",
        arguments: [
            (#"{"value":5}"#, "5"), ("[5]", "5"),
            (#"{"value":5,"context":{},"workDoneToken":1}"#, "5"),
            (#"[5,1.0]"#, "5"),
        ]
    )
    func params(params: String, result: String) async throws {
        let request = #"{"jsonrpc":"2.0","id":1,"method":"echo","params":\#(params)}"#
        #expect(try await exchange(request) == [#"{"jsonrpc":"2.0","id":1,"result":\#(result)}"#])
    }

    @Test(
        "wrong params are -32602 with the name of the parameter",
        arguments: [
            ("null", "value"), ("{}", "value"), (#"{"value":null}"#, "value"),
            (#"{"value":1,"limit":"x"}"#, "limit"), (#"{"value":1,"limit":1.5}"#, "limit"),
            (#"{"value":1,"nonsense":1}"#, "nonsense"), (#"{"value":1,"value":2}"#, "value"),
        ]
    )
    func wrongParams(params: String, named: String) async throws {
        let request = #"{"jsonrpc":"2.0","id":1,"method":"echo","params":\#(params)}"#
        let replies = try await exchange(request)
        #expect(code(replies.first) == "-32602")
        #expect(replies.first?.contains(#""parameter":"\#(named)""#) == true)
    }

    @Test("too many positional params are -32602")
    func tooManyPositions() async throws {
        let request = #"{"jsonrpc":"2.0","id":1,"method":"echo","params":[1,2,3]}"#
        #expect(code(try await exchange(request).first) == "-32602")
    }

    @Test("a batch gets one message with all replies; notifications get none")
    func batch() async throws {
        let batch =
            #"[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"ping"},7]"#
        let replies = try await exchange(batch)
        try #require(replies.count == 1)
        #expect(replies[0].hasPrefix("[") && replies[0].hasSuffix("]"))
        #expect(replies[0].contains(#"{"jsonrpc":"2.0","id":1,"result":null}"#))
        #expect(code(replies[0]) == "-32600")
    }

    @Test("notifications in a batch, even rejected ones, do not prevent its reply")
    func batchOfNotifications() async throws {
        let request = #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#
        let reply = #"[{"jsonrpc":"2.0","id":1,"result":null}]"#
        for method in ["echo", "unknown", "$/cancelRequest", "drop"] {
            let notification = #"{"jsonrpc":"2.0","method":"\#(method)"}"#
            #expect(try await exchange("[\(notification),\(request)]") == [reply])
        }
    }

    @Test("an empty batch is -32600; a batch of only notifications gets no reply")
    func emptyBatch() async throws {
        #expect(code(try await exchange("[]").first) == "-32600")
        #expect(try await exchange(#"[{"jsonrpc":"2.0","method":"ping"}]"#).isEmpty)
    }

    @Test("the result of initialize names the program, its version, and its methods")
    func initializeResult() {
        let info = ServerInfo(name: "test", version: "1.2")
        let encoded = info.lspInitializeResult(methods: ["a"]).bytes
        let expected =
            #"{"serverInfo":{"name":"test","version":"1.2"},"capabilities":{"methods":["a"]}}"#
        #expect(String(decoding: encoded, as: UTF8.self) == expected)
    }

    @Test("initialize lists the methods; after shutdown only exit is accepted, with exit code 0")
    func lifecycle() async throws {
        let server = try TestServer()
        let connection = server.connection
        connection.send(#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"x":1}}"# + "\n")
        #expect(await connection.line()?.contains(#""methods":["echo","ping""#) == true)
        connection.send(#"{"jsonrpc":"2.0","id":2,"method":"shutdown"}"# + "\n")
        #expect(await connection.line() == #"{"jsonrpc":"2.0","id":2,"result":null}"#)
        connection.send(#"{"jsonrpc":"2.0","id":3,"method":"ping"}"# + "\n")
        #expect(code(await connection.line()) == "-32600")
        connection.send(#"{"jsonrpc":"2.0","method":"exit"}"# + "\n")
        #expect(await connection.terminationReason() == .exit(code: 0))
        connection.endInput()
    }

    @Test("a method named initialize replaces the built-in one")
    func ownInitialize() async throws {
        let initialize = Method("initialize", "starts", result: .init("result", "anything")) {
            _ in JSONFragment { $0.string("own") }
        }
        let connection = try RawConnection(table: MethodTable([initialize]))
        connection.send(#"{"jsonrpc":"2.0","id":1,"method":"initialize"}"# + "\n")
        #expect(await connection.line() == #"{"jsonrpc":"2.0","id":1,"result":"own"}"#)
        connection.endInput()
    }

    @Test("exit without shutdown has exit code 1")
    func exitWithoutShutdown() async throws {
        let server = try TestServer()
        let connection = server.connection
        connection.send(#"{"jsonrpc":"2.0","method":"exit"}"# + "\n")
        #expect(await connection.terminationReason() == .exit(code: 1))
        connection.endInput()
    }

    @Test("messages that arrive together with exit get no reply")
    func messagesAfterExit() async throws {
        let messages = #"{"jsonrpc":"2.0","method":"exit"}"# + "\n{}\n{}\n"
        // A reply would race with the end of the output.
        for _ in 0..<200 {
            let server = try TestServer()
            server.connection.send(messages)
            #expect(await server.connection.rest() == "")
            server.connection.endInput()
        }
    }

    @Test("a handler's notification arrives before its result")
    func notify() async throws {
        let replies = try await exchange(#"{"jsonrpc":"2.0","id":1,"method":"notify"}"#)
        #expect(replies.first == #"{"jsonrpc":"2.0","method":"notified","params":{}}"#)
        #expect(replies.count == 2)
    }
}
