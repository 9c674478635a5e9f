// An MCP server with two tools and one resource, on standard input and output.
import Glibc
import JSONRPC
import MCP

let notes = Notes()
let server = MCPServer(
    serverInfo: Implementation(name: "notes", version: "1.0.0"),
    tools: [try notes.makeAddTool(), try notes.makeClearTool()],
    resources: [notes.resource],
    subscriptions: notes.subscriptions
)
let transport = Transport(input: STDIN_FILENO, output: try StandardOutput.claim())
exit(await server.makeConnection(over: transport).run().exitCode)
