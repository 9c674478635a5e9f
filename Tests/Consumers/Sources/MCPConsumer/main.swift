import JSON
import JSONRPC
import MCP

let hello = Method("hello", "Greets.", result: .init("greeting", "a greeting")) {
    _ throws(RPCError) in
    JSONFragment { $0.string("hello") }
}
let mcp = MCPServer(
    identity: Identity(name: "hello", title: "Hello", version: "1", instructions: "Greet."),
    tools: [Tool(hello)],
    declined: RPCError(code: 1, message: "Not done"),
    makeIdempotencyKey: { "key" },
    lspInitializeResult: LSPInitializeResult(
        info: ServerInfo(name: "hello", version: "1"),
        methods: ["hello"]
    )
)
precondition(mcp.methods.contains { $0.name == "tools/call" })
