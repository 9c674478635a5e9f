// An MCP server with one tool and one resource, on standard input and output.
import Glibc
import JSONRPC
import MCP

let notes = Notes()
let server = MCPServer(
    identity: Identity(name: "notes", version: "1.0.0"),
    tools: [notes.tool],
    resources: [notes.resource],
    subscriptions: notes.subscriptions
)
let connection = Connection(
    over: Transport(input: STDIN_FILENO, output: try StandardOutput.claim()),
    table: MethodTable(server.methods, extensions: [.mcp]),
    info: ServerInfo(name: "notes", version: "1.0.0")
)
exit(await connection.run().exitCode)
