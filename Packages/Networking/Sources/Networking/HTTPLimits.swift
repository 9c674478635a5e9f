/// The limits of a client.
///
/// With a total timeout of zero or less, every request fails. The other timeouts are at least one
/// millisecond. No timeout is longer than 24 days.
public struct HTTPLimits: Sendable, Hashable {
    /// The time to connect, including name resolution and TLS.
    public var connectTimeout: Duration = .seconds(5)
    /// The longest time without data in either direction, rounded up to whole seconds.
    ///
    /// libcurl averages the transfer rate over five seconds. So after a fast start it may notice a
    /// stall up to five seconds late.
    public var stallTimeout: Duration = .seconds(15)
    /// The time for the whole exchange, including redirects.
    public var totalTimeout: Duration = .seconds(30)
    /// The largest response body in bytes, after decompression.
    public var maximumBodyBytes = 64 << 20
    /// The largest response headers in bytes, including interim responses and trailers. libcurl
    /// rejects any line longer than 100 KiB, even if this limit is larger.
    public var maximumHeaderBytes = 64 << 10
    /// The maximum number of redirects that the client follows.
    public var maximumRedirects = 5
    /// The maximum number of idle connections in the pool. Values below 1 count as 1.
    public var maximumIdleConnections = 64

    /// Creates the default limits.
    public init() {}
}
