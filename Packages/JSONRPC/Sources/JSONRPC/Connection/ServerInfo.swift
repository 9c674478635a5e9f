/// The name and version that a server reports.
public struct ServerInfo: Sendable, Hashable {
    /// The name. The ids of requests to the peer also begin with it.
    public var name: String
    /// The version.
    public var version: String

    /// Creates a description of a server.
    public init(name: String, version: String) {
        self.name = name
        self.version = version
    }
}
