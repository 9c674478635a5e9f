/// What a client puts up with.
public struct HTTPLimits: Sendable, Hashable {
    /// How long a connection may take, TLS included, in milliseconds.
    public var connectMilliseconds = 5_000
    /// How long the remote may send nothing, in whole seconds.
    public var stallSeconds = 15
    /// How long all of it may take, redirects included, in milliseconds.
    public var totalMilliseconds = 30_000
    /// The longest body, decompressed, in bytes.
    public var maximumBodyBytes = 64 << 20
    /// The longest headers, in bytes.
    public var maximumHeaderBytes = 64 << 10
    /// The most redirects that are followed.
    public var maximumRedirects = 5

    /// Makes the limits named above.
    public init() {}
}
