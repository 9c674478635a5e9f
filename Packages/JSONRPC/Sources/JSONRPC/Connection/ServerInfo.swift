public import JSON

/// The name and version that a server reports.
public struct ServerInfo: Sendable, Hashable {
    /// The name. The ids of requests to the peer also begin with it.
    public var name: String
    /// The version of the server.
    public var version: String

    /// Creates a description of a server.
    public init(name: String, version: String) {
        self.name = name
        self.version = version
    }

    /// The result of an LSP 3.17 `initialize` request to a server with these methods. Clients may omit
    /// the request.
    public func lspInitializeResult(methods: [String]) -> JSONFragment {
        .object { writer in
            writer.object("serverInfo") { writer in
                writer.member("name", name)
                writer.member("version", version)
            }
            writer.object("capabilities") { $0.member("methods", methods) }
        }
    }
}
