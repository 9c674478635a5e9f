import Testing

@Suite("mcp-server")
struct MCPServerTests {
    @Test("A client can call the tool and read the resource")
    func exchange() async throws {
        let input = """
            {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",\
            "capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
            {"jsonrpc":"2.0","method":"notifications/initialized"}
            {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"greet",\
            "arguments":{"name":"Nova"}}}
            {"jsonrpc":"2.0","id":3,"method":"resources/read","params":{"uri":"greeting://languages"}}

            """
        let execution = try await Execution("mcp-server", input: input)
        #expect(execution.code == 0)
        #expect(execution.output.contains(#""structuredContent":{"text":"Hello, Nova!"}"#))
        #expect(execution.output.contains(#"{\"languages\":[\"en\"]}"#))
    }
}
