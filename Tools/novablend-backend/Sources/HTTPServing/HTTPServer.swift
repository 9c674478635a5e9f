import NovaBlendMicroHTTPD

/// An HTTP/1.1 server: libmicrohttpd with a pool of epoll threads.
public final class HTTPServer: Sendable {
    /// Creates the response to a request.
    ///
    /// It runs on the server thread that received the request. While it is suspended, that thread
    /// serves other connections. While it blocks, they wait.
    public typealias Handler = @Sendable (ServerRequest) async -> ServerResponse

    /// The server cannot listen on the address and port.
    public struct ListenError: Error {}

    /// The values that the callbacks use.
    final class Context: Sendable {
        let limits: ServerLimits
        let handler: Handler

        init(limits: ServerLimits, handler: @escaping Handler) {
            self.limits = limits
            self.handler = handler
        }
    }

    /// The port that the server listens on.
    public let port: UInt16
    private let context: Context
    // The pointer never changes, and libmicrohttpd synchronizes access to the daemon itself.
    private nonisolated(unsafe) let daemon: OpaquePointer

    /// Starts to serve. `address` is an IPv4 address in host byte order. Port 0 selects a free
    /// port.
    public init(
        address: UInt32,
        port: UInt16,
        limits: ServerLimits = ServerLimits(),
        handler: @escaping Handler
    ) throws(ListenError) {
        context = Context(limits: limits, handler: handler)
        let daemon = nb_mhd_start(
            address,
            port,
            UInt32(clamping: limits.threads),
            UInt32(clamping: limits.maximumConnections),
            UInt32(clamping: limits.timeoutSeconds),
            HTTPServer.access,
            HTTPServer.completed,
            Unmanaged.passUnretained(context).toOpaque()
        )
        guard let daemon else { throw ListenError() }
        self.daemon = daemon
        self.port = nb_mhd_port(daemon)
    }

    /// Finishes the requests in progress and stops the server.
    public func stop() { MHD_stop_daemon(daemon) }
}
