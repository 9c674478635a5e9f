import Testing

@Suite("mcp-server")
struct MCPServerTests {
    @Test("A client can call the tool, and is notified that the resource has changed")
    func exchange() async throws {
        let input = """
            {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",\
            "capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
            {"jsonrpc":"2.0","method":"notifications/initialized"}
            {"jsonrpc":"2.0","id":2,"method":"resources/subscribe","params":{"uri":"notes://all"}}
            {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"add_note",\
            "arguments":{"text":"Buy milk"}}}
            {"jsonrpc":"2.0","id":4,"method":"resources/read","params":{"uri":"notes://all"}}

            """
        let execution = try await Execution("mcp-server", input: input)
        #expect(execution.code == 0)
        #expect(execution.output.contains(#""structuredContent":{"count":1}"#))
        #expect(execution.output.contains(#""mimeType":"text/plain","text":"Buy milk""#))
        let update = #""method":"notifications/resources/updated","params":{"uri":"notes://all"}"#
        #expect(execution.output.contains(update))
        let capabilities = #""capabilities":{"tools":{},"resources":{"subscribe":true}}"#
        #expect(execution.output.contains(capabilities))
    }
}
