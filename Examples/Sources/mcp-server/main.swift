// An MCP server with one tool and one resource.
import Glibc
import JSON
import JSONRPC
import MCP

let greet = Method(
    "greet",
    "Greets a person.",
    parameters: [
        .init("name", "the person's name", isRequired: true, schema: JSONSchema.string.fragment)
    ],
    result: .init(
        "greeting",
        "a greeting",
        schema: ObjectSchema([.init("text", .string, "the greeting")])
    )
) { call throws(RPCError) in
    let name = try call.params.string("name") ?? ""
    return JSONFragment { writer in
        writer.object { $0.member("text", "Hello, \(name)!") }
    }
}
let languages = Resource(
    "greeting://languages",
    name: "languages",
    title: "Languages",
    summary: "The languages of the greetings."
) { _ throws(RPCError) in
    JSONFragment { writer in
        writer.object { $0.member("languages", ["en"]) }
    }
}
let info = ServerInfo(name: "greeter", version: "1.0")
let mcp = MCPServer(
    identity: Identity(
        name: "greeter",
        title: "Greeter",
        version: "1.0",
        instructions: "Greet people by name."
    ),
    tools: [Tool(greet)],
    resources: [languages],
    declined: RPCError(code: 1, message: "The user declined"),
    makeIdempotencyKey: { String(UInt64.random(in: 0...UInt64.max)) },
    lspInitializeResult: LSPInitializeResult(info: info, methods: ["greet"])
)
let server = Connection(
    over: Transport(input: STDIN_FILENO, output: try StandardOutput.claim()),
    table: MethodTable([greet] + mcp.methods, extensions: [.languageServer, .mcp]),
    info: info
)
exit(await server.run().exitCode)
