/// How long the parts of an exchange took, if the request asked for it
/// (``HTTPRequest/wantsMetrics``).
///
/// Each value is the time since the request was started. If there were redirects, the values are
/// those of the last request. libcurl measures them in microseconds.
public struct HTTPMetrics: Sendable, Hashable {
    /// Whether the request used a connection of an earlier one, so that there was no name lookup,
    /// connection, or TLS handshake.
    public var usedPooledConnection: Bool
    /// Until the host's name was resolved; nil on a pooled connection.
    public var nameLookup: Duration?
    /// Until the TCP connection, or that to the proxy, was established; nil on a pooled connection.
    public var connect: Duration?
    /// Until the TLS handshake was complete; nil on a pooled connection, and without TLS.
    public var tls: Duration?
    /// Until the first byte of the response arrived.
    public var firstByte: Duration
    /// Until the response was complete; nil in the head of a streamed response.
    public var total: Duration?
}
