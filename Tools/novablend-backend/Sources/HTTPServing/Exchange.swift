import Glibc
import NovaBlendMicroHTTPD
import WebPrimitives

/// The other end of a connection. Only the thread that serves the connection uses it.
final class Client {
    let descriptor: Int32
    let address: IPAddress?
    /// Whether this is a trusted proxy, so that the URL depends on more fields than `Host`.
    let isTrusted: Bool
    /// The URL of the previous request, and its field `Host`. Most requests have the same.
    var previous: (host: String, endpoint: Endpoint)?

    init(of connection: OpaquePointer, isTrusted: (IPAddress) -> Bool) {
        descriptor = nb_mhd_socket(connection)
        address = nb_mhd_client_address(connection).flatMap { IPAddress($0) }
        self.isTrusted = address.map(isTrusted) ?? false
    }
}

/// A request, from its request line to its response. Only the thread that serves the connection
/// uses it.
final class Exchange {
    enum Stage {
        /// The header is incomplete.
        case header
        /// There is no body, and the handler has not started.
        case withoutBody(ServerRequest)
        /// The handler has the header, and has neither asked for the body nor responded.
        case deciding(PendingResponse, IncomingBody)
        /// The handler waits for the body.
        case receiving(PendingResponse, IncomingBody)
        /// The rest of the body is ignored. Then the response is sent.
        case ignoringBody(ServerResponse, isLast: Bool)
        /// The request is complete.
        case handling(PendingResponse)
    }

    let client: Client
    let connection: OpaquePointer
    var stage = Stage.header
    var body: [UInt8] = []
    /// The number of bytes of the body, including ignored ones.
    var received = 0
    /// The maximum size of the body.
    var maximumBytes = 0
    /// Whether the connection closes after the response. libmicrohttpd accepts chunks that other
    /// servers read differently, so no other request may follow them.
    var isLast = false
    /// Whether the rest of the body should be received before a response, because a client may not
    /// read the response before it has sent everything.
    var receivesRest = false
    /// The raw target, and its position in the buffer of libmicrohttpd.
    let target: [UInt8]
    let targetPosition: UInt

    init(_ client: Client, _ connection: OpaquePointer, target: UnsafePointer<CChar>) {
        (self.client, self.connection) = (client, connection)
        self.target = Array(UnsafeRawBufferPointer(start: target, count: strlen(target)))
        targetPosition = UInt(bitPattern: target)
    }

    /// Cancels the handler and lets it finish, because no one waits for its response.
    func abandon() {
        switch stage {
        case .header, .withoutBody, .ignoringBody: break
        case .handling(let pending): pending.abandon()
        case .deciding(let pending, let body), .receiving(let pending, let body):
            pending.abandon()
            body.end(nil)
        }
    }
}
