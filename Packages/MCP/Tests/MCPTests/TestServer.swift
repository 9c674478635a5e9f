import JSON
import JSONRPC

@testable import MCP

/// A server with a few tools, resources, and prompts for the tests.
enum TestServer {
    static let text = JSONSchema.string
    static let number = JSONSchema.integer

    static func makeServer(
        _ subscriptions: ResourceSubscriptions = .init(),
        consent: Consent = Consent(makeError: consentError)
    ) -> MCPServer {
        MCPServer(
            serverInfo: Implementation(
                name: "test",
                title: "Test",
                version: "1",
                icon: "data:image/png;base64,AA=="
            ),
            instructions: "Try things.",
            tools: [echo, act, fail, picture, maybeChange] + (0..<48).map(spare),
            resources: [
                Resource("test://one", name: "one", title: "One", description: "The one.") {
                    _ in .json(JSONFragment { $0.integer(1) })
                },
                resource(of: "a"), resource(of: "b"),
                Resource("test://items/all", name: "items", description: "All items.") {
                    _ in .json(JSONFragment { $0.string("all") })
                },
                Resource(
                    "test://bytes",
                    name: "bytes",
                    description: "Bytes.",
                    mimeType: "application/octet-stream"
                ) { _ in .blob([0, 255, 1, 2]) },
            ],
            templates: [
                ResourceTemplate(
                    prefix: "test://items/",
                    variable: "id",
                    name: "item",
                    title: "An item",
                    description: "One of the items.",
                    advice: "count from 1",
                    data: DataAccess(reads: ["items"]),
                    read: { id, _ in
                        id == "none" ? nil : .json(JSONFragment { $0.string(id) })
                    },
                    complete: { prefix in (0..<120).map { "\(prefix)\($0)" } }
                )
            ],
            prompts: [
                Prompt(
                    "greet",
                    title: "Greet",
                    description: "Greets a person.",
                    arguments: [
                        .init("who", "whom to greet", isRequired: true) { ["\($0)a", "\($0)b"] },
                        .init("how", "in which words") { count in
                            (0..<(Int(count) ?? 0)).map(String.init)
                        },
                    ],
                    text: { "Greet \($0["who"] ?? "")." }
                )
            ],
            subscriptions: subscriptions,
            consent: consent,
            makeIdempotencyKey: { "\(UInt64.random(in: 0...UInt64.max))" },
            lspInitializeResult: ServerInfo(name: "lsp", version: "1")
                .lspInitializeResult(methods: [])
        )
    }

    @Sendable static func consentError(_ failure: ConsentFailure) -> RPCError {
        RPCError(code: 7, message: "\(failure)")
    }

    /// A resource that accesses only the data of the same name.
    private static func resource(of data: String) -> Resource {
        Resource(
            "test://\(data)",
            name: data,
            title: data,
            description: "Data.",
            data: DataAccess(reads: [data])
        ) { _ in .json(JSONFragment { $0.string(data) }) }
    }

    private static var echo: Tool {
        let method = Method(
            "things/echo",
            "Returns its text.",
            title: "Echo",
            parameters: [
                .init("text", "what things/echo returns", isRequired: true, schema: text),
                .init("limit", "a number", schema: number),
                .init("suffix", "what to append", schema: text),
            ],
            result: .init("echo", "the text", schema: ObjectSchema([.init("text", text)]))
        ) { call throws(RPCError) in
            let (text, limit) = (try call.params.string("text"), try call.params.integer("limit"))
            let suffix = try call.params.string("suffix")
            call.report("echoing")
            return JSONFragment.object { writer in
                writer.member("text", text.map { $0 + (suffix ?? "") })
                writer.member("limit", limit)
            }
        }
        return Tool(
            method,
            arguments: .init(
                defaults: ["limit": JSONFragment { $0.integer(20) }],
                unlisted: ["suffix"]
            )
        )
    }

    /// Requires a confirmation. Returns the idempotency key of the call.
    private static var act: Tool {
        let method = Method(
            "things/act",
            "Acts.",
            title: "Act",
            parameters: [
                .init("what", "what to do", isRequired: true, schema: text),
                .init("key", "the idempotency key", schema: text),
            ],
            result: .init(
                "acted",
                "the key of the call",
                schema: ObjectSchema([.init("acted", text)])
            ),
            effect: .changes(destroys: true)
        ) { call throws(RPCError) in
            let key = try call.params.string("key") ?? "no key"
            return JSONFragment { writer in writer.object { $0.member("acted", key) } }
        }
        let makeConfirmation: Tool.MakeConfirmation = { params throws(RPCError) in
            let what = try params.string("what") ?? ""
            switch what {
            case "impossible": throw RPCError(code: 8, message: "impossible")
            case "nothing": return nil
            case "repeat":
                let key = JSONFragment { $0.string("earlier") }
                return Confirmation("Really \(what)?", pinnedArguments: ["key": key])
            default: return Confirmation("Really \(what)?", isExplicit: what == "sit")
            }
        }
        return Tool(
            method,
            arguments: .init(idempotencyKey: "key"),
            makeConfirmation: makeConfirmation
        )
    }

    /// Returns an image if the call has a `what`. One of its keys has escapes.
    private static var picture: Tool {
        let method = Method(
            "things/picture",
            "Shows a thing.",
            parameters: [.init("what", "what to show", schema: text)],
            result: .init(
                "picture",
                "the image",
                schema: ObjectSchema([.init("type", text), .init("bytes", text)])
            )
        ) { call throws(RPCError) in
            let what = try call.params.string("what")
            return JSONFragment.object { writer in
                writer.member("type", "image/png")
                writer.member(named: "\"what\"", what ?? "")
                if what != nil { writer.member("bytes", "AAAA") }
            }
        }
        return Tool(method, image: ImageMembers(data: "bytes", mimeType: "type"))
    }

    /// Changes data only if the call has a `change`.
    private static var maybeChange: Tool {
        var method = Method(
            "things/maybeChange",
            "May change things.",
            parameters: [.init("change", "whether to change", schema: text)],
            result: .init("nothing", "nothing"),
            effect: .changes(isIdempotent: true)
        ) { _ in .emptyObject }
        method.determineEffect = { $0.params.value("change") == nil ? .reads : .changes }
        return Tool(method, makeConfirmation: { _ in nil })
    }

    private static var fail: Tool {
        var method = Method("things/fail", "Fails.", result: .init("nothing", "nothing")) {
            _ throws(RPCError) in
            let data = JSONFragment { writer in writer.object { $0.member("name", "broken") } }
            throw RPCError(code: 1_999, message: "Broken; see things/echo", data: data)
        }
        method.acceptsUnknownParameters = true
        return Tool(method)
    }

    private static func spare(_ number: Int) -> Tool {
        let method = Method(
            "spare/\(number)",
            "Nothing.",
            result: .init("nothing", "nothing")
        ) {
            _ in .emptyObject
        }
        return Tool(method)
    }
}
