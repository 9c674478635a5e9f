import JSONRPCTestSupport
import Testing

@testable import MCP

@Suite("List entries in the oldest revision and in a newer one", .timeLimit(.minutes(10)))
struct ListingTests {
    private static let oldest = "2024-11-05"
    private static let newer = "2025-11-25"

    private func list(_ method: String, _ revision: String, _ path: String) async throws -> String?
    {
        let client = try Client()
        _ = try await client.initialize(revision)
        let reply = try await client.request(method)
        client.connection.endInput()
        return reply["result", path, "0"]
    }

    @Test("a tool")
    func tool() async throws {
        let limit = #""limit":{"type":"integer","default":20,"description":"a number"}"#
        let text = #""text":{"type":"string","description":"what things_echo returns"}"#
        let properties = #""properties":{\#(text),\#(limit)},"additionalProperties":false"#
        let input = #""inputSchema":{"type":"object",\#(properties),"required":["text"]}"#
        let head = #"{"name":"things_echo","#
        let oldest = try await list("tools/list", Self.oldest, "tools")
        #expect(oldest == head + #""description":"Returns its text.",\#(input)}"#)
        let output = #""outputSchema":{"type":"object"}"#
        let annotations = #""annotations":{"readOnlyHint":true}"#
        let newer = try await list("tools/list", Self.newer, "tools")
        let title = #""title":"Echo","description":"Returns its text.""#
        #expect(newer == head + "\(title),\(input),\(output),\(annotations)}")
    }

    @Test("a resource")
    func resource() async throws {
        let tail = #""description":"The one.","mimeType":"application/json"}"#
        let head = #"{"uri":"test://one","name":"one","#
        #expect(try await list("resources/list", Self.oldest, "resources") == head + tail)
        let newer = try await list("resources/list", Self.newer, "resources")
        #expect(newer == head + #""title":"One","# + tail)
    }

    @Test("a resource template")
    func template() async throws {
        let tail = #""description":"One of the items.","mimeType":"application/json"}"#
        let head = #"{"uriTemplate":"test://items/{id}","name":"item","#
        let path = "resourceTemplates"
        let oldest = try await list("resources/templates/list", Self.oldest, path)
        #expect(oldest == head + tail)
        let newer = try await list("resources/templates/list", Self.newer, path)
        #expect(newer == head + #""title":"An item","# + tail)
    }

    @Test("a prompt")
    func prompt() async throws {
        let who = #"{"name":"who","description":"whom to greet","required":true}"#
        let how = #"{"name":"how","description":"in which words","required":false}"#
        let tail = #""description":"Greets a person.","arguments":[\#(who),\#(how)]}"#
        let oldest = try await list("prompts/list", Self.oldest, "prompts")
        #expect(oldest == #"{"name":"greet","# + tail)
        let newer = try await list("prompts/list", Self.newer, "prompts")
        #expect(newer == #"{"name":"greet","title":"Greet","# + tail)
    }

    @Test("hints of tools that change data; the input schema never allows unknown members")
    func hints() async throws {
        let client = try Client()
        let reply = try await client.request("tools/list")
        let acts = #"{"destructiveHint":true}"#
        #expect(reply["result", "tools", "1", "annotations"] == acts)
        #expect(reply["result", "tools", "4", "annotations", "idempotentHint"] == "true")
        #expect(reply["result", "tools", "2", "inputSchema", "additionalProperties"] == "false")
        client.connection.endInput()
    }
}
