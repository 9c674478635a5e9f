import Glibc
public import SystemSupport
import WebPrimitives

/// An HTTP/1.1 server.
///
/// One thread accepts connections and closes those that wait too long. The threads of libmicrohttpd
/// serve them.
public final class HTTPServer: Sendable {
    /// Creates the response to a request.
    ///
    /// It runs on the server thread that received the request. While it is suspended, that thread
    /// serves other connections. While it blocks, they wait.
    ///
    /// Its task is cancelled when the client closes its side of the connection, and when the server
    /// stops. A handler that only waits for something to happen should return then. One that makes a
    /// change should finish it.
    public typealias Handler = @Sendable (ServerRequest) async -> ServerResponse

    /// The port that the server listens on.
    public let port: UInt16
    private let acceptLoop: AcceptLoop
    private let registry: ConnectionRegistry

    /// How many connections the server has, and had since it started.
    public var connections: ConnectionCounts { registry.counts }

    /// Starts to serve.
    ///
    /// `host` is an IPv4 or IPv6 address, or `localhost`. The address `::` includes IPv4. Port 0
    /// selects a free port. `log` gets messages about exhausted resources, at most one a minute, and
    /// one about connections that did not finish before the server stopped.
    ///
    /// - Throws: Why the server cannot listen on the address and port, or cannot start its threads.
    public init(
        host: String = "127.0.0.1",
        port: UInt16 = 0,
        publicAddress: PublicAddress = PublicAddress(),
        limits: ServerLimits = ServerLimits(),
        log: @escaping @Sendable (String) -> Void = { _ in },
        handler: @escaping Handler
    ) throws(SystemError) {
        let sockets = try ListeningSockets(host: host, port: port)
        self.port = sockets.port
        registry = ConnectionRegistry(limits)
        guard registry.wakeup.descriptor >= 0 else { throw SystemError(code: errno) }
        let processor = RequestProcessor(
            publicAddress: publicAddress,
            authority: Self.authority(host, sockets.port),
            registry: registry,
            handler: handler
        )
        acceptLoop = try AcceptLoop(sockets, processor, log)
    }

    /// Accepts no more connections, answers all requests that were accepted, and stops the server.
    ///
    /// Waits for handlers at most as long as `drainTimeout`. A handler that blocks a thread longer
    /// than that continues to run. If the server was already stopped, does nothing.
    public func stop() { acceptLoop.stop() }

    /// Whether the text is an address that a server can listen on.
    public static func isHost(_ text: String) -> Bool {
        text == "localhost" || IPAddress(SocketAddress.withoutBrackets(text)) != nil
    }

    /// Whether only this machine can reach the address: `localhost`, 127.0.0.0/8, or ::1.
    public static func isLoopback(_ host: String) -> Bool {
        guard let address = IPAddress(SocketAddress.withoutBrackets(host)) else {
            return host == "localhost"
        }
        return loopback.contains { $0.contains(address) }
    }

    private static let loopback = ["127.0.0.0/8", "::1"].compactMap(IPNetwork.init)

    /// The host and port of a URL, with an IPv6 address in brackets.
    public static func authority(_ host: String, _ port: UInt16) -> String {
        let isBare = host.contains(":") && !host.hasPrefix("[")
        return "\(isBare ? "[\(host)]" : host):\(port)"
    }
}
