import JSON
import JSONRPC

@testable import MCP

/// A server of few things: each as simple as its test allows.
enum TestFace {
    static let text = JSONFragment { $0.object { $0.member("type", "string") } }
    static let number = JSONFragment { $0.object { $0.member("type", "integer") } }

    static func makeServer() -> MCPServer {
        MCPServer(
            identity: Identity(
                name: "test",
                title: "Test",
                version: "1",
                icon: "data:image/png;base64,AA==",
                instructions: "Try things."
            ),
            tools: [echo, act, fail] + (0..<50).map(spare),
            resources: [
                Resource("test://one", name: "one", title: "One", summary: "The one.") {
                    _ throws(RPCError) in JSONFragment { $0.integer(1) }
                }
            ],
            templates: [
                ResourceTemplate(
                    prefix: "test://items/",
                    variable: "id",
                    name: "item",
                    title: "An item",
                    summary: "One of the items.",
                    read: { id, _ throws(RPCError) in
                        id == "none" ? nil : JSONFragment { $0.string(id) }
                    },
                    complete: { typed in (0..<120).map { "\(typed)\($0)" } }
                )
            ],
            prompts: [
                Prompt(
                    "greet",
                    title: "Greet",
                    summary: "Greets somebody.",
                    arguments: [
                        .init("who", "whom to greet", isRequired: true) { ["\($0)a", "\($0)b"] }
                    ],
                    text: { "Greet \($0["who"] ?? "")." }
                )
            ],
            declined: RPCError(code: 7, message: "declined"),
            makeIdempotencyKey: { "\(UInt64.random(in: 0...UInt64.max))" },
            lifecycle: Lifecycle(info: ServerInfo(name: "lsp", version: "1"), methods: [])
        )
    }

    private static var echo: Method {
        Method(
            "things/echo",
            "Gives back.",
            title: "Echo",
            parameters: [
                .init("text", "what to give back", isRequired: true, schema: text),
                .init(
                    "limit",
                    "a number",
                    schema: number,
                    agentDefault: JSONFragment { $0.integer(20) }
                ),
            ],
            result: .init("echo", "it", schema: ObjectSchema([.init("text", text)]))
        ) { call throws(RPCError) in
            let (text, limit) = (try call.params.string("text"), try call.params.integer("limit"))
            call.report("echoing")
            return JSONFragment { writer in
                writer.object { writer in
                    writer.member("text", text)
                    writer.member("limit", limit)
                }
            }
        }
    }

    /// Wants a confirmation, and tells with which key it acted.
    private static var act: Method {
        var method = Method(
            "things/act",
            "Acts.",
            title: "Act",
            parameters: [
                .init("what", "what to do", isRequired: true, schema: text),
                .init("key", "which time", schema: text),
            ],
            result: .init("acted", "how", schema: ObjectSchema([.init("acted", text)])),
            effect: .changes(destroys: true)
        ) { call throws(RPCError) in
            let key = try call.params.string("key") ?? "no key"
            return JSONFragment { writer in writer.object { $0.member("acted", key) } }
        }
        method.idempotencyParameter = "key"
        method.confirmation = { params throws(RPCError) in
            guard let what = try params.string("what"), what != "impossible" else {
                throw RPCError(code: 8, message: "impossible")
            }
            return "Really \(what)?"
        }
        return method
    }

    private static var fail: Method {
        Method("things/fail", "Fails.", result: .init("nothing", "nothing")) { _ throws(RPCError) in
            let data = JSONFragment { writer in writer.object { $0.member("name", "broken") } }
            throw RPCError(code: 1_999, message: "It is broken", data: data)
        }
    }

    private static func spare(_ number: Int) -> Method {
        Method("spare/\(number)", "Nothing.", result: .init("nothing", "nothing")) {
            _ throws(RPCError) in .emptyObject
        }
    }
}
