import Glibc
import JSON
import JSONRPC

let hello = Method("hello", "Greets.", result: .init("greeting", "a greeting")) {
    _ throws(RPCError) in
    JSONFragment { $0.string("hello") }
}
let server = StdioServer(
    table: MethodTable([hello]),
    info: ServerInfo(name: "hello", version: "1"),
    input: open("/dev/null", O_RDONLY),
    output: 1,
    log: { _ in }
)
exit(await server.run().exitCode)
