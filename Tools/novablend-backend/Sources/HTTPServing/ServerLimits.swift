/// Limits on clients, and the number of server threads.
public struct ServerLimits: Sendable, Hashable {
    /// The maximum size of a request body, in bytes.
    public var maximumBodyBytes = 64 << 10
    /// The maximum number of simultaneous connections.
    public var maximumConnections = 1_024
    /// The server closes a connection after this many seconds without data.
    public var timeoutSeconds = 30
    /// The number of threads that handle requests.
    public var threads = 4

    /// Creates the default limits.
    public init() {}
}
