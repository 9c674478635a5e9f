/// What a client puts up with. A total below 1 lets nothing through; other limits of time below 1
/// count as 1.
public struct HTTPLimits: Sendable, Hashable {
    /// How long a connection may take, name resolution and TLS included, in milliseconds.
    public var connectMilliseconds = 5_000
    /// How long nothing may move in either direction, in whole seconds; speed is an average over
    /// five seconds, so that a stall after a fast start is seen up to five seconds later.
    public var stallSeconds = 15
    /// How long all of it may take, redirects included, in milliseconds.
    public var totalMilliseconds = 30_000
    /// The longest body, decompressed, in bytes.
    public var maximumBodyBytes = 64 << 20
    /// The longest headers, in bytes, interim answers and trailers included. A single line is never
    /// longer than 100 KiB, whatever stands here.
    public var maximumHeaderBytes = 64 << 10
    /// The most redirects that are followed.
    public var maximumRedirects = 5
    /// The most connections that are kept for later requests; below 1 counts as 1.
    public var maximumKeptConnections = 64

    /// Makes the limits named above.
    public init() {}
}
