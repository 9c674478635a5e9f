import NovaBlendMicroHTTPD

/// The parts of a request that the backend reads.
struct ServerRequest: Sendable {
    var method: String
    /// The path, percent-decoded.
    var path: String
    /// The values of query parameters by name, percent-decoded.
    var query: [String: String] = [:]
    /// The header fields that the backend reads, by lowercase name.
    var headers: [String: String] = [:]
    var body: [UInt8] = []

    /// The key that a client repeats when it repeats the request.
    var idempotencyKey: String? { headers["idempotency-key"] }

    /// The origin from the `Host` field, for URLs in responses. If the field contains characters
    /// that a host and port cannot contain, `http://localhost`.
    var origin: String {
        let host = headers["host"] ?? ""
        let isPlain = host.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                || (UInt8(ascii: "-")...UInt8(ascii: ":")).contains(byte)
                    && byte != UInt8(ascii: "/")
                || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "]")
        }
        return "http://" + (isPlain && !host.isEmpty ? host : "localhost")
    }
}

/// A response of the backend.
struct ServerResponse: Sendable {
    var status: Int
    var headers: [String: String] = ["Content-Type": "application/json"]
    var body: [UInt8] = []
}

/// Limits on clients, and the number of server threads.
public struct ServerLimits: Sendable, Hashable {
    /// The maximum size of a request body, in bytes.
    public var maximumBodyBytes = 64 << 10
    /// The maximum number of simultaneous connections.
    public var maximumConnections = 1_024
    /// The backend closes a connection after this many seconds without data.
    public var timeoutSeconds = 30
    /// The number of threads that handle requests.
    public var threads = 4

    /// Creates the default limits.
    public init() {}
}

/// An HTTP/1.1 server: libmicrohttpd with a pool of epoll threads.
final class HTTPServer: Sendable {
    struct ListenError: Error {}

    /// The values that the callbacks use.
    final class Context: Sendable {
        let limits: ServerLimits
        let respond: @Sendable (ServerRequest) -> ServerResponse

        init(limits: ServerLimits, respond: @escaping @Sendable (ServerRequest) -> ServerResponse) {
            self.limits = limits
            self.respond = respond
        }
    }

    let port: UInt16
    private let context: Context
    // The pointer never changes, and libmicrohttpd synchronizes access to the daemon itself.
    private nonisolated(unsafe) let daemon: OpaquePointer

    init(
        address: UInt32,
        port: UInt16,
        limits: ServerLimits,
        respond: @escaping @Sendable (ServerRequest) -> ServerResponse
    ) throws(ListenError) {
        context = Context(limits: limits, respond: respond)
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
    func stop() { MHD_stop_daemon(daemon) }
}
