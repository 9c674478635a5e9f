public import JSON

/// What every connection answers by itself, as LSP has it. A script need not say any of it.
public struct Lifecycle: Sendable {
    /// The result of `initialize`.
    public let initializeResult: JSONFragment

    /// The lifecycle of a server that has these methods.
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
