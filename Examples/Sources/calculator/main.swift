// A calculator as a JSON-RPC server on standard input and output.
import Glibc
import JSON
import JSONRPC

let divide = Method(
    "divide",
    "Divides two integers.",
    parameters: [
        .init(
            "dividend",
            "the number to divide",
            isRequired: true,
            schema: JSONSchema.integer.fragment
        ),
        .init(
            "divisor",
            "the number to divide by",
            isRequired: true,
            schema: JSONSchema.integer.fragment
        ),
    ],
    result: .init("quotient", "the quotient, rounded toward zero, and the remainder")
) { call throws(RPCError) in
    let dividend = try call.params.integer("dividend") ?? 0
    let divisor = try call.params.integer("divisor") ?? 0
    let (quotient, overflows) = dividend.dividedReportingOverflow(by: divisor)
    if overflows { throw .invalidParams("the quotient does not exist", parameter: "divisor") }
    return JSONFragment { writer in
        writer.object { writer in
            writer.member("quotient", quotient)
            writer.member("remainder", dividend - quotient * divisor)
        }
    }
}
let server = Connection(
    over: Transport(input: STDIN_FILENO, output: try StandardOutput.claim()),
    table: MethodTable([divide]),
    info: ServerInfo(name: "calculator", version: "1.0")
)
exit(await server.run().exitCode)
