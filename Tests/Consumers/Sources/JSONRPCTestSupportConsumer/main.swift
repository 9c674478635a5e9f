import JSON
import JSONRPC
import JSONRPCTestSupport

let hello = Method("hello", "Greets.", result: .init("greeting", "a greeting")) {
    _ throws(RPCError) in
    JSONFragment { $0.string("hello") }
}
let connection = try RawConnection(table: MethodTable([hello]))
connection.send(#"{"jsonrpc":"2.0","id":1,"method":"hello"}"# + "\n")
let reply = await connection.line()
precondition(reply?.contains(#""result":"hello""#) == true)
connection.endInput()
_ = await connection.terminationReason()
