import JSON
import JSONRPC
import JSONRPCTestSupport
import Testing

@testable import MCP

@Suite("Only offered features are announced", .timeLimit(.minutes(10)))
struct OfferedFeatureTests {
    private static let info = Implementation(name: "test", version: "1")
    private static let handshakes = Revision.allCases.filter(\.hasHandshake)
    /// A valid request for each method of a feature. Other features may be missing.
    private static let requests = [
        "tools/list": "", "tools/call": #""name":"echo""#,
        "resources/list": "", "resources/templates/list": "",
        "resources/read": #""uri":"test://one""#,
        "resources/subscribe": #""uri":"test://one""#,
        "resources/unsubscribe": #""uri":"test://one""#,
        "prompts/list": "", "prompts/get": #""name":"greet""#,
        "completion/complete":
            #""ref":{"type":"ref/prompt","name":"greet"},"argument":{"name":"who","value":""}"#,
    ]

    private static let one = Resource("test://one", name: "one", description: "The one.") {
        _ in .text("1")
    }
    private static let echo = Tool(
        Method("echo", "Echoes.", result: .init("nothing", "nothing")) {
            _ in .emptyObject
        }
    )
    private static let plainPrompt = Prompt("greet", description: "Greets.") { _ in "Hello." }
    private static let completedPrompt = Prompt(
        "greet",
        description: "Greets.",
        arguments: [.init("who", "whom") { _ in ["Ada"] }]
    ) { _ in "Hello." }
    private static let completedTemplate = ResourceTemplate(
        prefix: "test://items/",
        variable: "id",
        name: "item",
        description: "An item.",
        read: { _, _ in nil },
        complete: { _ in [] }
    )

    /// The capabilities in each revision, oldest first, without repetitions.
    private func capabilities(of server: MCPServer) async throws -> [String?] {
        var all: [String?] = []
        for revision in Self.handshakes {
            let client = try Client(server)
            let reply = try await client.initialize(revision.rawValue)
            all.append(reply["result", "capabilities"])
            client.connection.endInput()
        }
        let client = try Client(server)
        let reply = try await client.request("server/discover", Client.newest)
        all.append(reply["result", "capabilities"])
        client.connection.endInput()
        return all.reduce(into: []) { if $0.last != $1 { $0.append($1) } }
    }

    /// The methods of features that a server has, after a handshake.
    private func methods(of server: MCPServer) async throws -> Set<String> {
        let client = try Client(server)
        var found: Set<String> = []
        for (method, params) in Self.requests {
            let reply = try await client.request(method, params)
            if reply["error", "code"] != "-32601" { found.insert(method) }
        }
        client.connection.endInput()
        return found
    }

    @Test("a server that offers nothing announces nothing, and has only the lifecycle")
    func nothing() async throws {
        let server = MCPServer(serverInfo: Self.info, subscriptions: ResourceSubscriptions())
        #expect(try await capabilities(of: server) == ["{}"])
        #expect(try await methods(of: server).isEmpty)
        #expect(
            server.methods.map(\.name) == [
                "initialize", "notifications/initialized", "ping", "server/discover",
            ]
        )
    }

    @Test("tools")
    func tools() async throws {
        let server = MCPServer(serverInfo: Self.info, tools: [Self.echo])
        #expect(try await capabilities(of: server) == [#"{"tools":{}}"#])
        #expect(try await methods(of: server) == ["tools/list", "tools/call"])
    }

    @Test("resources that do not change cannot be subscribed to")
    func resources() async throws {
        let server = MCPServer(serverInfo: Self.info, resources: [Self.one])
        #expect(try await capabilities(of: server) == [#"{"resources":{}}"#])
        let reading: Set = ["resources/list", "resources/templates/list", "resources/read"]
        #expect(try await methods(of: server) == reading)
        let client = try Client(server)
        let listen = try await client.request(
            "subscriptions/listen",
            Client.newest,
            #""notifications":{"resourceSubscriptions":["test://one"]}"#
        )
        #expect(listen["error", "code"] == "-32601")
        client.connection.endInput()
    }

    @Test("resources that change")
    func changingResources() async throws {
        let server = MCPServer(
            serverInfo: Self.info,
            resources: [Self.one],
            subscriptions: ResourceSubscriptions()
        )
        #expect(try await capabilities(of: server) == [#"{"resources":{"subscribe":true}}"#])
        let subscribing: Set = ["resources/subscribe", "resources/unsubscribe"]
        #expect(try await methods(of: server).isSuperset(of: subscribing))
    }

    @Test("prompts, with and without completions, which the oldest revision cannot announce")
    func prompts() async throws {
        let plain = MCPServer(serverInfo: Self.info, prompts: [Self.plainPrompt])
        #expect(try await capabilities(of: plain) == [#"{"prompts":{}}"#])
        #expect(try await methods(of: plain) == ["prompts/list", "prompts/get"])
        let completed = MCPServer(serverInfo: Self.info, prompts: [Self.completedPrompt])
        let both = [#"{"prompts":{}}"#, #"{"prompts":{},"completions":{}}"#]
        #expect(try await capabilities(of: completed) == both)
        #expect(try await methods(of: completed).contains("completion/complete"))
    }

    @Test("a template with completions offers resources, too")
    func templates() async throws {
        let server = MCPServer(serverInfo: Self.info, templates: [Self.completedTemplate])
        let both = [#"{"resources":{}}"#, #"{"resources":{},"completions":{}}"#]
        #expect(try await capabilities(of: server) == both)
    }

    @Test("a server has no title, instructions, or icon unless they are given")
    func identity() async throws {
        let client = try Client(MCPServer(serverInfo: Self.info))
        let reply = try await client.initialize("2025-11-25")
        #expect(reply["result", "serverInfo"] == #"{"name":"test","version":"1"}"#)
        #expect(reply["result", "instructions"] == nil)
        client.connection.endInput()
    }

    @Test("an initialize from an LSP client is -32602 if the server has no result for it")
    func languageServerInitialize() async throws {
        let client = try Client(MCPServer(serverInfo: Self.info))
        let reply = try await client.request("initialize", #""processId":null,"capabilities":{}"#)
        #expect(reply["error", "code"] == "-32602")
        client.connection.endInput()
    }

    @Test("without a generator of its own, the server makes a random key for each confirmed call")
    func randomKeys() {
        let server = MCPServer(serverInfo: Self.info)
        let keys = Set((0..<100).map { _ in server.makeIdempotencyKey() })
        #expect(keys.count == 100 && keys.allSatisfy { $0.utf8.count == 22 })
    }
}
