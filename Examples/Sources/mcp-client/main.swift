// An MCP client: starts a server, and runs the commands of standard input.
import Glibc
import JSONRPC
import MCP

var server = Array(CommandLine.arguments.dropFirst())
var revision: Revision?
if server.first == "--revision" {
    revision = server.dropFirst().first.flatMap(Revision.init)
    server.removeFirst(min(2, server.count))
}
if server.isEmpty {
    print("usage: mcp-client [--revision REVISION] SERVER [ARGUMENT...]")
    exit(2)
}
do {
    let client = try await MCPClient.start(
        server,
        clientInfo: Implementation(name: "mcp-client", version: "1.0.0"),
        revision: revision,
        timeout: .seconds(30),
        elicit: Form.fillIn
    )
    let info = client.server.info
    print("\(info.name) \(info.version), MCP \(client.revision.rawValue)")
    var session = Session(client)
    while let line = readLine() {
        do {
            try await session.run(line)
        } catch {
            print("error \(error.code): \(error.message)")
        }
        fflush(nil)
    }
    await client.close()
} catch {
    print("error \(error.code): \(error.message)")
    exit(1)
}
