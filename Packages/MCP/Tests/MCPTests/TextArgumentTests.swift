import JSON
import JSONRPC
import JSONRPCTestSupport
import Testing

@testable import MCP

@Suite("Arguments that a client has turned into text", .timeLimit(.minutes(10)))
struct TextArgumentTests {
    private static let server: MCPServer = {
        let list = JSONSchema.array(of: .integer)
        let object = JSONSchema.object(ObjectSchema([.init("a", .integer)]))
        var method = Method(
            "typed",
            "Returns its arguments.",
            parameters: [
                .init("must", "a text", isRequired: true, schema: .string),
                .init("integer", "an integer", schema: .integer),
                .init("boolean", "a Boolean", schema: .boolean),
                .init("list", "a list", schema: list),
                .init("object", "an object", schema: object),
                .init("text", "a text", schema: .string),
                .init("choice", "a choice", schema: .string(in: ["1", "true"])),
                .init("destroy", "permits to destroy", schema: .boolean),
            ],
            result: .init("arguments", "the arguments")
        ) { call throws(RPCError) in
            let names = [
                "must", "integer", "boolean", "list", "object", "text", "choice", "destroy",
            ]
            return JSONFragment.object { writer in
                for name in names {
                    if let value = call.params.value(name) {
                        writer.member(named: name, value)
                    }
                }
            }
        }
        method.treatsEmptyAsAbsent = true
        let prompt = Prompt(
            "greet",
            description: "Greets.",
            arguments: [.init("who", "whom", isRequired: true), .init("how", "how")],
            text: { "\($0["who"] ?? "-") \($0["how"] ?? "-")" }
        )
        return MCPServer(
            serverInfo: Implementation(name: "t", version: "1"),
            tools: [Tool(method, arguments: .init(literal: ["destroy"]))],
            prompts: [prompt]
        )
    }()

    private func arguments(_ members: String) async throws -> String? {
        let client = try Client(Self.server)
        defer { client.connection.endInput() }
        let call = #""name":"typed","arguments":{"must":"x",\#(members)}"#
        let reply = try await client.request("tools/call", call)
        let all = try #require(reply["result", "structuredContent"])
        return String(all.dropFirst(#"{"must":"x""#.count).drop { $0 == "," }.dropLast())
    }

    @Test(
        "a text that is one value of the declared type means that value",
        arguments: [
            (#""integer":"2""#, #""integer":2"#), (#""integer":" -7 ""#, #""integer":-7"#),
            (#""integer":"2.0""#, #""integer":2.0"#), (#""boolean":"true""#, #""boolean":true"#),
            (#""boolean":"false""#, #""boolean":false"#), (#""list":"[1, 2]""#, #""list":[1,2]"#),
            (#""object":"{\"a\": 1}""#, #""object":{"a":1}"#),
            (#""text":"a","integer":"2""#, #""integer":2,"text":"a""#),
            (#""list":"[]""#, ""),
        ]
    )
    func converted(given: String, expected: String) async throws {
        #expect(try await arguments(given) == expected)
    }

    @Test(
        "any other text stays a text, and so does every text for a text, a choice, or a permission",
        arguments: [
            #""integer":"x""#, #""integer":"2 3""#, #""integer":"2.5""#, #""integer":"true""#,
            #""integer":"0x2""#, #""integer":"99999999999999999999""#, #""integer":"\"2\"""#,
            #""boolean":"True""#, #""boolean":"yes""#, #""boolean":"1""#, #""boolean":"null""#,
            #""list":"1,2""#, #""list":"{}""#, #""list":"[1""#, #""object":"[1]""#,
            #""object":"{a:1}""#, #""text":"5""#, #""text":"true""#, #""text":"[1]""#,
            #""text":"{}""#, #""choice":"1""#, #""choice":"true""#, #""destroy":"true""#,
        ]
    )
    func unchanged(given: String) async throws {
        #expect(try await arguments(given) == given)
    }

    @Test(
        "blank text for an optional argument means absent",
        arguments: ["integer", "boolean", "list", "object", "text", "choice", "destroy"],
        ["", " ", #"\t\n"#, "\u{A0}\u{3000}"]
    )
    func blank(name: String, text: String) async throws {
        #expect(try await arguments(#""\#(name)":"\#(text)""#) == "")
    }

    @Test("all arguments together are an object, and not a text")
    func whole() async throws {
        let client = try Client(Self.server)
        defer { client.connection.endInput() }
        let call = #""name":"typed","arguments":"{\"must\":\"x\"}""#
        let reply = try await client.request("tools/call", call)
        #expect(reply.toolError?["data", "parameter"] == #""arguments""#)
    }

    @Test("a required argument may be white space, but not empty")
    func requiredArgument() async throws {
        let client = try Client(Self.server)
        defer { client.connection.endInput() }
        let space = try await client.request(
            "tools/call",
            #""name":"typed","arguments":{"must":" "}"#
        )
        #expect(space["result", "structuredContent"] == #"{"must":" "}"#)
        let empty = try await client.request(
            "tools/call",
            #""name":"typed","arguments":{"must":""}"#
        )
        #expect(empty.toolError?["code"] == "-32602")
    }

    @Test(
        "blank text for an optional argument of a prompt means absent",
        arguments: [#""how":"""#, #""how":"  ""#, #""how":null"#, #""other":1"#]
    )
    func prompt(members: String) async throws {
        let client = try Client(Self.server)
        defer { client.connection.endInput() }
        let get = #""name":"greet","arguments":{"who":"Ada",\#(members)}"#
        let reply = try await client.request("prompts/get", get)
        #expect(reply.string("result", "messages") == nil)
        #expect(reply["result", "messages", "0", "content", "text"] == #""Ada -""#)
    }

    @Test(
        "a required argument of a prompt that is blank, and one that is not a text, are -32602",
        arguments: [
            (#""arguments":{"who":" "}"#, "who"), (#""arguments":{"who":null}"#, "who"),
            ("", "who"),
            (#""arguments":{"who":"Ada","how":5}"#, "how"), (#""arguments":[]"#, "arguments"),
        ]
    )
    func badPrompt(members: String, name: String) async throws {
        let client = try Client(Self.server)
        defer { client.connection.endInput() }
        let reply = try await client.request("prompts/get", #""name":"greet""#, members)
        #expect(reply["error", "code"] == "-32602")
        #expect(reply["error", "data", "parameter"] == #""\#(name)""#)
    }
}
