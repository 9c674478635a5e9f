import NovaBlendMicroHTTPD

/// A request as the backend sees it.
struct ServerRequest: Sendable {
    var method: String
    /// The path, percent-decoded.
    var path: String
    /// The value of one query item, percent-decoded.
    var query: [String: String] = [:]
    /// The header fields that the backend reads, by lower-case name.
    var headers: [String: String] = [:]
    var body: [UInt8] = []

    /// What names the request when it is sent again.
    var idempotencyKey: String? { headers["idempotency-key"] }

    /// Where the client reached us, as it says: any name and port, and nothing that could be more.
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

/// An answer of the backend.
struct ServerResponse: Sendable {
    var status: Int
    var headers: [String: String] = ["Content-Type": "application/json"]
    var body: [UInt8] = []
}

/// Bounds on what a client may ask of the backend.
public struct ServerLimits: Sendable, Hashable {
    /// The longest body, in bytes.
    public var maximumBodyBytes = 64 << 10
    /// The most connections at once.
    public var maximumConnections = 1_024
    /// How long a connection may be silent, in seconds.
    public var timeoutSeconds = 30
    /// The threads that serve.
    public var threads = 4

    /// Makes the limits named above.
    public init() {}
}

/// An HTTP/1.1 server on libmicrohttpd: a pool of epoll threads.
final class HTTPServer: Sendable {
    struct CouldNotListen: Error {}

    /// What the callbacks see.
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
    // Set once; libmicrohttpd guards what is behind it.
    private nonisolated(unsafe) let daemon: OpaquePointer

    init(
        address: UInt32,
        port: UInt16,
        limits: ServerLimits,
        respond: @escaping @Sendable (ServerRequest) -> ServerResponse
    ) throws(CouldNotListen) {
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
        guard let daemon else { throw CouldNotListen() }
        self.daemon = daemon
        self.port = nb_mhd_port(daemon)
    }

    /// Answers what is under way and stops.
    func stop() { MHD_stop_daemon(daemon) }
}
