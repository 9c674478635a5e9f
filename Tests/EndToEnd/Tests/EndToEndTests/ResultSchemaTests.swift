import JSON
import Testing

/// The schemas of results, which `tools/list` leaves out by default.
@Suite("Schemas of results", .throttled, .timeLimit(.minutes(10)))
struct ResultSchemaTests {
    private func outputSchemas(_ options: [String]) async throws -> [String: String] {
        let client = try Novablend(["--tools", "all"] + options)
        let tools = try await client.result("tools/list").required("tools").array()
        return Dictionary(
            uniqueKeysWithValues: try tools.map { tool in
                let tool = try tool.object()
                let schema = try tool.required("outputSchema").object().text
                return (try tool.required("name").string(), schema)
            }
        )
    }

    private func schema(of tool: String, _ client: Novablend) async throws -> String {
        let uri = #"{"uri":"novablend://schemas/\#(tool)"}"#
        let contents = try await client.result("resources/read", uri).required("contents").array()
        let content = try #require(contents.first { _ in true }).object()
        #expect(try content.required("mimeType").string() == "application/schema+json")
        return try content.required("text").string()
    }

    @Test("each tool has a resource with the schema, which --result-schemas lists")
    func schemas() async throws {
        let short = try await outputSchemas([])
        let full = try await outputSchemas(["--result-schemas"])
        let client = try Novablend(["--tools", "all"])
        #expect(short.count == 24 && Set(short.values) == [#"{"type":"object"}"#])
        #expect(Set(full.keys) == Set(short.keys))
        for (tool, schema) in full {
            #expect(try await self.schema(of: tool, client) == schema, "\(tool)")
            let object = try JSONDocument(parsing: Array(schema.utf8)).root.object()
            #expect(try object.required("properties").object().count > 0, "\(tool)")
        }
        #expect(full["salons_list"]?.contains(#""open_time""#) == true)
        #expect(full["feed_image"]?.contains(#""data""#) == false)
    }

    @Test("the texts in the schemas name tools, not methods")
    func names() async throws {
        let client = try Novablend(["--tools", "all"])
        let methods = try await client.result("rpc.discover").required("methods").array()
            .map { try $0.object().required("name").string() }.filter { $0.contains("/") }
        for (tool, schema) in try await outputSchemas(["--result-schemas"]) {
            for method in methods { #expect(!schema.contains(method), "\(tool): \(method)") }
        }
    }

    @Test("a tool that agents do not get has no resource, and a URI without a tool names it")
    func unknown() async throws {
        let client = try Novablend(["--tools", "booking"])
        for tool in ["cache_clear", "nope", "salons%2Flist"] {
            let uri = "novablend://schemas/\(tool)"
            let failure = try await client.failure("resources/read", #"{"uri":"\#(uri)"}"#)
            #expect(failure.code == -32_002)
            #expect(try failure.data?.required("uri").string() == uri)
        }
        let complete =
            #"{"ref":{"type":"ref/resource","uri":"novablend://schemas/{tool}"},"#
            + #""argument":{"name":"tool","value":"salons_"}}"#
        let found = try await client.result("completion/complete", complete).text
        #expect(found.contains(#"["salons_list","salons_get","salons_availability"]"#), "\(found)")
    }

    @Test("a text that names no salon, or several, fails like an unknown id, with the URI")
    func salons() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url])
        let newest =
            #","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","#
            + #""io.modelcontextprotocol/clientCapabilities":{}}"#
        for (meta, code) in [("", -32_002), (newest, -32_602)] {
            var messages: Set<String> = []
            for id in ["nope", "a", Sample.salon.replacing("5a1", with: "fff")] {
                let uri = "novablend://salons/\(id)"
                let failure = try await client.failure(
                    "resources/read",
                    #"{"uri":"\#(uri)"\#(meta)}"#
                )
                #expect(failure.code == code)
                #expect(try failure.data?.required("uri").string() == uri)
                messages.insert(failure.message.replacing(uri, with: "URI"))
            }
            #expect(
                messages == ["Resource not found: URI; salons_list lists the salons and their ids"]
            )
        }
    }
}
