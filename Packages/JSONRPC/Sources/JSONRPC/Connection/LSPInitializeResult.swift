public import JSON

/// The result of an LSP 3.17 `initialize` request. Clients may omit the request.
public struct LSPInitializeResult: Sendable {
    /// The encoded result.
    public let encoded: JSONFragment

    /// Creates the result for a server with these methods.
    public init(info: ServerInfo, methods: [String]) {
        encoded = JSONFragment.object { writer in
            writer.object("serverInfo") { writer in
                writer.member("name", info.name)
                writer.member("version", info.version)
            }
            writer.object("capabilities") { writer in
                writer.member("methods", methods)
            }
        }
    }
}
