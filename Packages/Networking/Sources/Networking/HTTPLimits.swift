/// The limits of a client.
///
/// Timeouts are at least one millisecond and at most 24 days. The time for a whole exchange is a
/// property of each request, ``HTTPRequest/totalTimeout``.
public struct HTTPLimits: Sendable, Hashable {
    /// The time to connect, including name resolution and TLS; 5 seconds by default.
    public var connectTimeout: Duration = .seconds(5)
    /// The longest time without data in either direction, rounded up to whole seconds; 15 seconds by
    /// default.
    ///
    /// For streams of events from a server that may be silent longer, use a client with a longer one.
    /// libcurl averages the transfer rate over five seconds. So after a fast start it may notice a
    /// stall up to five seconds late.
    public var stallTimeout: Duration = .seconds(15)
    /// The largest response body in bytes, after decompression; 64 MiB by default.
    /// ``HTTPRequest/maximumResponseBytes`` can lower it, and raise it for streams and downloads.
    public var maximumBodyBytes = 64 << 20
    /// The largest response headers in bytes, including interim responses and trailers; 64 KiB by
    /// default. libcurl rejects any line longer than 100 KiB, even if this limit is larger.
    public var maximumHeaderBytes = 64 << 10
    /// The maximum number of redirects that the client follows; 5 by default. One more is an error,
    /// so with 0 every redirect of a GET or HEAD is an error. Redirects of other methods are never
    /// followed but returned.
    public var maximumRedirects = 5
    /// The maximum number of idle connections in the pool; 64 by default. Values below 1 count as 1.
    public var maximumIdleConnections = 64

    /// Creates the default limits.
    public init() {}
}

extension Duration {
    /// The longest time that libcurl accepts, about 24 days.
    static let longest = Duration.milliseconds(Int32.max)

    /// The duration, limited to zero through ``longest`` so that arithmetic cannot overflow.
    var clamped: Duration { min(max(self, .zero), .longest) }

    /// ``clamped`` in whole milliseconds, rounded up: only a duration of zero or less becomes 0.
    var milliseconds: Int {
        let (seconds, attoseconds) = clamped.components
        let perMillisecond: Int64 = 1_000_000_000_000_000
        return Int(seconds * 1_000 + (attoseconds + perMillisecond - 1) / perMillisecond)
    }
}
