/// The identity that a server reports.
public struct ServerInfo: Sendable, Hashable {
    /// Its name, which also begins the ids of its own requests.
    public var name: String
    /// Its version.
    public var version: String

    /// Makes an identity.
    public init(name: String, version: String) {
        self.name = name
        self.version = version
    }
}
