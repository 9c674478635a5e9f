import Glibc
import JSON
import JSONRPC

let hello = Method("hello", "Greets.", result: .init("greeting", "a greeting")) {
    _ throws(RPCError) in
    JSONFragment { $0.string("hello") }
}
let server = Connection(
    over: Transport(input: STDIN_FILENO, output: try StandardOutput.claim()),
    table: MethodTable([hello]),
    info: ServerInfo(name: "hello", version: "1")
)
exit(await server.run().exitCode)
