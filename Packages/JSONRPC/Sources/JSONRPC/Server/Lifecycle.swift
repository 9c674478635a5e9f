import JSON

/// What every connection answers by itself, as LSP has it. A script need not say any of it.
struct Lifecycle: Sendable {
    private let initializeResult: JSONFragment

    init(info: ServerInfo, methods: [String]) {
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

    /// The result of a request of the lifecycle; nil for any other.
    func answer(_ method: String) -> JSONFragment? {
        method == "initialize" ? initializeResult : nil
    }
}
