import JSON
import JSONRPC
import JSONRPCTestSupport
import Testing

@testable import MCP

/// MCP Apps: what clients with and without the extension see.
@Suite struct AppTests {
    private static let supported = capabilities(#"["text/plain","text/html;profile=mcp-app"]"#)
    private static let uri = "ui://test/page"

    private static func capabilities(_ mediaTypes: String) -> String {
        #"{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":\#(mediaTypes)}}}"#
    }

    private static func makeServer(resources: [Resource] = [page, plain]) -> MCPServer {
        MCPServer(
            serverInfo: Implementation(name: "test", version: "1"),
            tools: [
                tool("show", .shown(uri: uri)), tool("change", .callable), tool("hidden", .none),
            ],
            resources: resources
        )
    }

    private static let plain = Resource("test://plain", name: "plain", description: "Text.") {
        _ in .text("plain")
    }

    private static let page = Resource.app(uri, name: "page", title: "Page", description: "A page.")
    {
        "<p>\"page\"</p>"
    }

    private static func tool(_ name: String, _ use: Tool.AppUse) -> Tool {
        Tool(
            Method(name, "Does it.", result: .init("result", "nothing")) { _ in
                .emptyObject
            },
            appUse: use
        )
    }

    @Test(
        "a client that shows apps gets the extension, and in the lists what apps need",
        arguments: ["2024-11-05", "2025-11-25"]
    )
    func supported(revision: String) async throws {
        let client = try Client(Self.makeServer())
        let started = try await client.initialize(revision, capabilities: Self.supported)
        let extensions = started["result", "capabilities", "extensions"]
        #expect(extensions == #"{"io.modelcontextprotocol/ui":{}}"#)
        try await Self.expectApps(client, "")
        client.connection.endInput()
    }

    @Test("without a handshake, the capabilities of each request decide")
    func stateless() async throws {
        let client = try Client(Self.makeServer())
        let meta = Client.meta("2026-07-28", capabilities: Self.supported)
        let discovered = try await client.request("server/discover", meta)
        let extensions = discovered["result", "capabilities", "extensions"]
        #expect(extensions == #"{"io.modelcontextprotocol/ui":{}}"#)
        try await Self.expectApps(client, meta)
        try await Self.expectNoApps(client, Client.newest)
        client.connection.endInput()
    }

    private static func expectApps(_ client: Client, _ meta: String) async throws {
        let tools = try await client.request("tools/list", meta)
        let shown = #"{"ui":{"resourceUri":"\#(uri)","visibility":["model","app"]}}"#
        #expect(tools["result", "tools", "0", "_meta"] == shown)
        let callable = #"{"ui":{"visibility":["model","app"]}}"#
        #expect(tools["result", "tools", "1", "_meta"] == callable)
        #expect(tools["result", "tools", "2", "_meta"] == #"{"ui":{"visibility":["model"]}}"#)
        let resources = try await client.request("resources/list", meta)
        let ui = #"{"ui":{"csp":{},"prefersBorder":true}}"#
        #expect(resources["result", "resources", "0", "uri"] == "\"\(uri)\"")
        #expect(resources["result", "resources", "0", "_meta"] == ui)
        #expect(resources["result", "resources", "1", "_meta"] == nil)
        let read = try await client.request("resources/read", #""uri":"\#(uri)""#, meta)
        let content =
            #"{"uri":"\#(uri)","mimeType":"text/html;profile=mcp-app","#
            + #""text":"<p>\"page\"</p>","_meta":\#(ui)}"#
        #expect(read["result", "contents"] == "[\(content)]")
    }

    private static func expectNoApps(_ client: Client, _ meta: String) async throws {
        let tools = try await client.request("tools/list", meta)
        #expect(tools["result", "tools", "2", "name"] != nil)
        #expect(tools["result", "tools", "0", "_meta"] == nil)
        let resources = try await client.request("resources/list", meta)
        #expect(resources["result", "resources", "0", "uri"] == "\"test://plain\"")
        #expect(resources["result", "resources", "1"] == nil)
        let read = try await client.request("resources/read", #""uri":"\#(uri)""#, meta)
        #expect(read["error", "data", "uri"] == "\"\(uri)\"")
        let plain = try await client.request("resources/read", #""uri":"test://plain""#, meta)
        #expect(plain["result", "contents", "0", "text"] == "\"plain\"")
        #expect(plain["result", "contents", "0", "_meta"] == nil)
    }

    @Test(
        "a client without the extension, or without the media type, sees nothing of apps",
        arguments: [
            "{}", #"{"extensions":{}}"#, #"{"extensions":[]}"#,
            #"{"extensions":{"io.modelcontextprotocol/ui":{}}}"#,
            #"{"extensions":{"io.modelcontextprotocol/ui":true}}"#,
            capabilities("[]"), capabilities(#""text/html;profile=mcp-app""#),
            capabilities(#"["text/html"]"#), capabilities("[7,null]"),
        ]
    )
    func unsupported(capabilities: String) async throws {
        let client = try Client(Self.makeServer())
        let started = try await client.initialize("2025-11-25", capabilities: capabilities)
        #expect(started["result", "capabilities", "resources"] != nil)
        #expect(started["result", "capabilities", "extensions"] == nil)
        try await Self.expectNoApps(client, "")
        client.connection.endInput()
    }

    @Test("a server without apps does not mention them")
    func noApps() async throws {
        let client = try Client(Self.makeServer(resources: [Self.plain]))
        let started = try await client.initialize("2025-11-25", capabilities: Self.supported)
        #expect(started["result", "capabilities", "extensions"] == nil)
        try await Self.expectNoApps(client, "")
        client.connection.endInput()
    }

    @Test("a shared cache must not store lists of which only some clients see all elements")
    func cacheScope() async throws {
        for (resources, scope) in [([Self.page], "private"), ([Self.plain], "public")] {
            let client = try Client(Self.makeServer(resources: resources))
            let reply = try await client.request("tools/list", Client.newest)
            #expect(reply["result", "cacheScope"] == "\"\(scope)\"")
            client.connection.endInput()
        }
    }
}
