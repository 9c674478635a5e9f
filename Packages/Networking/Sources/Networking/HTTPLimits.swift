/// The limits of a client.
///
/// A total timeout of zero or less lets no request through. Other timeouts below a millisecond count
/// as one millisecond; none is longer than 24 days.
public struct HTTPLimits: Sendable, Hashable {
    /// The time to connect, including name resolution and TLS.
    public var connectTimeout: Duration = .seconds(5)
    /// The longest time without data in either direction, rounded up to whole seconds.
    ///
    /// libcurl averages the transfer rate over five seconds, so it notices a stall after a fast start
    /// up to five seconds later.
    public var stallTimeout: Duration = .seconds(15)
    /// The time for the whole exchange, including redirects.
    public var totalTimeout: Duration = .seconds(30)
    /// The largest response body in bytes, after decompression.
    public var maximumBodyBytes = 64 << 20
    /// The largest response headers in bytes, including interim responses and trailers. libcurl
    /// accepts no line longer than 100 KiB, whatever this limit is.
    public var maximumHeaderBytes = 64 << 10
    /// The most redirects that the client follows.
    public var maximumRedirects = 5
    /// The most idle connections in the pool; below 1 counts as 1.
    public var maximumIdleConnections = 64

    /// Creates the default limits.
    public init() {}
}
