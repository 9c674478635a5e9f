/// A server of a different project.
public struct Server {
    /// Creates a server.
    public init() {}
}
