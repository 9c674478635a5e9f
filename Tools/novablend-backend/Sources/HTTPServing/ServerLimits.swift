import Glibc

/// Limits on clients, and the number of server threads.
public struct ServerLimits: Sendable, Hashable {
    /// The maximum size of a request body, in bytes. A larger one is answered with 413.
    public var maximumBodyBytes = 64 << 10
    /// The maximum size of the body of a PUT, in bytes, which may replace something large.
    public var maximumPutBytes = 64 << 10
    /// The maximum number of simultaneous connections. The server uses fewer if the process may not
    /// open that many files.
    public var maximumConnections = 16_384
    /// How long a client may take from its connection to the end of its first header, or from the
    /// request line to the end of a later header.
    public var headerTimeout = Duration.seconds(10)
    /// How long a connection may wait for its next request.
    public var idleTimeout = Duration.seconds(30)
    /// How long a client may take to send a body. libmicrohttpd 0.9.75 also waits so long for the rest
    /// of a body if the last bytes of a client arrive together with the end of its connection.
    public var bodyTimeout = Duration.seconds(30)
    /// How long a client may take to receive a response, plus one second for each 64 KiB of it.
    public var sendTimeout = Duration.seconds(30)
    /// When the server stops, how long it waits for the responses to accepted requests.
    public var drainTimeout = Duration.seconds(10)
    /// How long a new connection without a request is protected when there is no room for others.
    public var admissionTimeout = Duration.milliseconds(250)
    /// How long new connections wait for room before they are answered with 503.
    public var overloadTimeout = Duration.seconds(1)
    /// The number of threads that serve connections; by default one for each processor, and at
    /// least 2.
    public var threads = max(2, processorCount)

    /// Creates the default limits.
    public init() {}

    /// The maximum size of the body of a request.
    func maximumBodyBytes(of method: String) -> Int {
        method == "PUT" ? maximumPutBytes : maximumBodyBytes
    }

    /// The maximum number of simultaneous connections that the server uses: fewer than
    /// ``maximumConnections`` if the process may not open that many files.
    public var usableConnections: Int {
        max(1, min(maximumConnections, DescriptorLimit.maximumConnections))
    }
}

private let processorCount = sysconf(Int32(_SC_NPROCESSORS_ONLN))
