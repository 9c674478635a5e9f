import JSON
import JSONRPC
import Testing

@testable import NovaBlendEngine

/// Every MCP client loads the list of tools, and most models read it for each conversation.
@Suite("The list of tools")
struct ToolListTests {
    private let table = Composition(
        Configuration(
            endpoints: .init(base: "http://127.0.0.1:9"),
            cacheDirectory: "/nonexistent/cache",
            stateDirectory: "/nonexistent/state"
        )
    ).methods

    private func list() async throws -> JSONFragment {
        let prefix = "io.modelcontextprotocol/"
        let params = """
            {"_meta": {"\(prefix)protocolVersion": "2026-07-28", "\(prefix)clientCapabilities": {}}}
            """
        return try await table.call("tools/list", JSONFragment(trusted: Array(params.utf8)))
    }

    private func tools() async throws -> [JSONObject] {
        let result = try JSONDocument(parsing: try await list().bytes).root.object()
        return try result.required("tools").array().map { try $0.object() }
    }

    @Test("it has a bounded size")
    func size() async throws {
        let size = try await list().bytes.count
        #expect(size <= 29_000, "\(size) bytes")
    }

    @Test("every schema in it has one type, because many clients reject several")
    func types() async throws {
        for tool in try await tools() {
            let name = try tool.required("name").string()
            for key: StaticString in ["inputSchema", "outputSchema"] {
                try expectTypes(in: tool.required(key), "\(name) \(key)")
            }
        }
    }

    private func expectTypes(in schema: JSONValue, _ path: String) throws {
        let object = try schema.object()
        #expect(object["type"]?.kind == .string, "\(path)")
        for (name, value) in try object["properties"]?.object().map({ $0 }) ?? [] {
            try expectTypes(in: value, "\(path).\(name)")
        }
        if let items = object["items"] { try expectTypes(in: items, "\(path)[]") }
        for key: StaticString in ["anyOf", "oneOf", "allOf"] {
            for branch in try object[key]?.array().map({ $0 }) ?? [] {
                try expectTypes(in: branch, "\(path).\(key)")
            }
        }
    }

    @Test("its texts name tools, not methods")
    func names() async throws {
        let text = try await list().description
        for method in table.methods where method.name.contains("/") {
            #expect(!text.contains(method.name), "\(method.name)")
        }
    }
}
