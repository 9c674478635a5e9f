public import JSON

/// The answer to `initialize` of LSP 3.17. Clients may omit the request.
public struct Lifecycle: Sendable {
    /// The result of `initialize`.
    public let initializeResult: JSONFragment

    /// The lifecycle of a server with these methods.
    public init(info: ServerInfo, methods: [String]) {
        initializeResult = JSONFragment { writer in
            writer.object { writer in
                writer.key("serverInfo")
                writer.object { writer in
                    writer.member("name", info.name)
                    writer.member("version", info.version)
                }
                writer.key("capabilities")
                writer.object { writer in
                    writer.key("methods")
                    writer.array { writer in
                        for method in methods { writer.string(method) }
                    }
                }
            }
        }
    }
}
