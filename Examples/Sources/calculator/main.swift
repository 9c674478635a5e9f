// A JSON-RPC calculator: `calculator serve` is the server. Without an argument, the program is a
// client that starts this server and calls it. With `share PATH`, it serves two clients over a Unix
// socket.
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
case "share":
    try await SharingClient.run(path: CommandLine.arguments[2])
default:
    try await Client.run(server: [CommandLine.arguments[0], "serve"])
}
