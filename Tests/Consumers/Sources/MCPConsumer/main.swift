import JSON
import JSONRPC
import MCP

let hello = Method("hello", "Greets.", result: .init("greeting", "a greeting")) {
    _ throws(RPCError) in
    JSONFragment { writer in writer.object { $0.member("greeting", "hello") } }
}
let server = MCPServer(
    serverInfo: Implementation(name: "hello", version: "1.0.0"),
    tools: [Tool(hello)]
)
precondition(server.methods.contains { $0.name == "tools/call" })
