// A JSON-RPC calculator: `calculator serve` is the server. Without an argument, the program is a
// client that starts this server and calls it.
import Glibc
import JSONRPC

switch CommandLine.arguments.dropFirst().first {
case "serve":
    let server = Connection(
        over: Transport(input: STDIN_FILENO, output: try StandardOutput.claim()),
        table: MethodTable(try Calculator.methods()),
        info: ServerInfo(name: "calculator", version: "1.0")
    )
    exit(await server.run().exitCode)
default:
    try await Client.run(server: [CommandLine.arguments[0], "serve"])
}
