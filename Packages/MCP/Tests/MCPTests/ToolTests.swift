import JSON
import JSONRPC
import JSONRPCTestSupport
import Testing

@testable import MCP

@Suite("Tools", .timeLimit(.minutes(10)))
struct ToolTests {
    @Test(
        "the list entry of a tool has the members that the revision defines",
        arguments: Revision.allCases
    )
    func listing(revision: Revision) async throws {
        let client = try Client()
        var meta = ""
        if revision.hasHandshake {
            _ = try await client.initialize(revision.rawValue)
        } else {
            meta = Client.newest
        }
        let reply = try await client.request("tools/list", meta)
        #expect(reply["result", "tools", "0", "name"] == "\"things_echo\"")
        #expect(reply["result", "tools", "0", "description"] == "\"Returns its text.\"")
        #expect(reply["result", "tools", "0", "inputSchema", "additionalProperties"] == "false")
        #expect(reply["result", "tools", "0", "inputSchema", "required"] == #"["text"]"#)
        let limit = reply["result", "tools", "0", "inputSchema", "properties", "limit"]
        #expect(limit == #"{"type":"integer","default":20,"description":"a number"}"#)
        let hasTitle = reply["result", "tools", "0", "title"] != nil
        #expect(hasTitle == revision.hasTitles)
        let hasOutput = reply["result", "tools", "0", "outputSchema"] != nil
        #expect(hasOutput == revision.hasStructuredContent)
        let hint = reply["result", "tools", "1", "annotations", "destructiveHint"]
        #expect((hint == "true") == revision.hasAnnotations)
        client.connection.endInput()
    }

    @Test("a long list of tools has pages; an invalid cursor is -32602")
    func paging() async throws {
        let client = try Client()
        let first = try await client.request("tools/list")
        let cursor = try #require(first.string("result", "nextCursor"))
        let second = try await client.request("tools/list", #""cursor":"\#(cursor)""#)
        #expect(second["result", "tools", "2", "name"] == "\"spare_47\"")
        #expect(second["result", "tools", "3"] == nil && second["result", "nextCursor"] == nil)
        for cursor in ["\"-1\"", "\"7\"", "\"x\"", "\"100\"", "\"\"", "\"0\"", "7", "{}"] {
            let reply = try await client.request("tools/list", #""cursor":\#(cursor)"#)
            #expect(reply["error", "code"] == "-32602", "\(cursor)")
        }
        client.connection.endInput()
    }

    @Test("a call applies defaults, and returns its result both structured and as text")
    func call() async throws {
        let client = try Client()
        _ = try await client.initialize("2025-06-18")
        let call = #""name":"things_echo","arguments":{"text":"hi"}"#
        let reply = try await client.request("tools/call", call)
        let content = #"{"text":"hi","limit":20}"#
        #expect(reply["result", "structuredContent"] == content)
        #expect(reply["result", "content", "0", "type"] == "\"text\"")
        #expect(reply["result", "content", "0", "text"]?.contains(#"\"limit\":20"#) == true)
        #expect(reply["result", "isError"] == nil)
        client.connection.endInput()
    }

    @Test("before structured content was introduced, a result is text")
    func oldestCall() async throws {
        let client = try Client()
        _ = try await client.initialize("2024-11-05")
        let call = #""name":"things_echo","arguments":{"text":"hi","limit":1}"#
        let reply = try await client.request("tools/call", call)
        #expect(reply["result", "structuredContent"] == nil)
        #expect(reply["result", "content", "0", "text"]?.contains("hi") == true)
        client.connection.endInput()
    }

    @Test("a call may have a parameter that the listing leaves out")
    func unlistedParameter() async throws {
        let client = try Client()
        let call = #""name":"things_echo","arguments":{"text":"hi","suffix":"-ho"}"#
        let reply = try await client.request("tools/call", call)
        #expect(reply["result", "structuredContent", "text"] == "\"hi-ho\"")
        client.connection.endInput()
    }

    @Test("a tool error is a result with isError, and its text is the JSON-RPC error")
    func toolError() async throws {
        let client = try Client()
        let reply = try await client.request("tools/call", #""name":"things_fail""#)
        #expect(reply["result", "isError"] == "true" && reply["error"] == nil)
        #expect(reply.toolError?["code"] == "1999")
        #expect(reply.toolError?["data", "name"] == "\"broken\"")
        // The message of the method names a method.
        #expect(reply.toolError?["message"] == "\"Broken; see things_echo\"")
        client.connection.endInput()
    }

    @Test(
        "invalid arguments cause a result with isError, so that the model can correct them",
        arguments: [#"{}"#, #"{"text":1}"#, #"{"text":"a","more":1}"#, "7", "[]", "\"text\""]
    )
    func badArguments(arguments: String) async throws {
        let client = try Client()
        let call = #""name":"things_echo","arguments":\#(arguments)"#
        let reply = try await client.request("tools/call", call)
        #expect(reply["result", "isError"] == "true")
        #expect(reply.toolError?["code"] == "-32602")
        client.connection.endInput()
    }

    @Test("a call may name the method, and the error of a misspelled name has the closest tool")
    func names() async throws {
        let client = try Client()
        let call = #""name":"things/echo","arguments":{"text":"hi"}"#
        #expect(try await client.request("tools/call", call)["result", "isError"] == nil)
        let error = try await client.request("tools/call", #""name":"thing_ehco""#)
        #expect(error["error", "message"]?.contains("did you mean things_echo?") == true)
        client.connection.endInput()
    }

    @Test("a tool that is not listed can be called, but is not suggested")
    func unlisted() async throws {
        let hidden = Tool(
            Method("a/hidden", "Hidden.", result: .init("nothing", "nothing")) {
                _ throws(RPCError) in throw RPCError(code: 9, message: "not here")
            },
            isListed: false
        )
        let server = MCPServer(
            serverInfo: Implementation(name: "test", version: "1"),
            tools: [hidden]
        )
        let client = try Client(server)
        #expect(try await client.request("tools/list")["result", "tools"] == "[]")
        let reply = try await client.request("tools/call", #""name":"a_hidden""#)
        #expect(reply.toolError?["code"] == "9")
        let unknown = try await client.request("tools/call", #""name":"a_hiden""#)
        #expect(unknown["error", "message"]?.contains("did you mean") == false)
        client.connection.endInput()
    }

    @Test("all unknown and missing arguments are reported at once, without unlisted ones")
    func allNames() async throws {
        let client = try Client()
        let call = #""name":"things_echo","arguments":{"txt":"a","max":1}"#
        let message = try await client.request("tools/call", call).toolError?.string("message")
        let problems = [
            #"unknown parameter "txt"; did you mean text?"#, #"unknown parameter "max""#,
            "known: text, limit", #""text" is missing: what things_echo returns"#,
        ]
        #expect(message == "Invalid params: \(problems.joined(separator: "; "))")
        client.connection.endInput()
    }

    @Test("an unknown tool is -32602", arguments: [#""name":"unknown""#, "", #""name":1"#])
    func unknownTool(name: String) async throws {
        let client = try Client()
        #expect(try await client.request("tools/call", name)["error", "code"] == "-32602")
        client.connection.endInput()
    }

    @Test(
        "with a progress token, the steps of a call are reported",
        arguments: [#""_meta":{"progressToken":"p"}"#, #""progressToken":"p""#]
    )
    func progress(token: String) async throws {
        let client = try Client()
        let call = #""name":"things_echo","arguments":{"text":"hi"}"#
        let step = try await client.request("tools/call", call, token)
        #expect(step["method"] == "\"notifications/progress\"")
        #expect(step["params", "progressToken"] == "\"p\"" && step["params", "progress"] == "1")
        #expect(step["params", "message"] != nil)
        #expect(try await client.message()["result", "content"] != nil)
        client.connection.endInput()
    }

    @Test("an image in a result becomes a content block, and is left out of the text")
    func image() async throws {
        let client = try Client()
        let call = #""name":"things_picture","arguments":{"what":"sun"}"#
        let reply = try await client.request("tools/call", call)
        let rest = #"{"type":"image/png","\"what\"":"sun"}"#
        #expect(reply["result", "structuredContent"] == rest)
        let text = JSONFragment { $0.string(rest) }
        let image = #"{"type":"image","data":"AAAA","mimeType":"image/png"}"#
        #expect(
            reply["result", "content"] == #"[{"type":"text","text":\#(text)},\#(image)]"#
        )
        client.connection.endInput()
    }

    @Test("a result without an image is only text")
    func noImage() async throws {
        let client = try Client()
        let reply = try await client.request("tools/call", #""name":"things_picture""#)
        let result = #"{"type":"image/png","\"what\"":""}"#
        #expect(reply["result", "structuredContent"] == result)
        #expect(reply["result", "content", "1"] == nil)
        client.connection.endInput()
    }
}
