/// A complete HTTP request.
public struct ServerRequest: Sendable {
    /// The method as sent, such as `GET`. Methods are case-sensitive (RFC 9110, section 9.1).
    public var method: String
    /// The path, percent-decoded, without the query and without the prefix of the base URL.
    public var path: String
    /// The parameters of the query, percent-decoded.
    public var query: QueryParameters
    /// All header fields.
    public var headers: HeaderFields
    /// The complete body; empty if the request has none.
    public var body: [UInt8]
    /// The URL under which the client reached the server, without a slash at the end, such as
    /// `http://127.0.0.1:8080`. URLs in responses start with it.
    public var baseURL: String
    /// The client's IP address. Empty if it is unknown, for example because a trusted proxy does not
    /// state it.
    public var peer: String

    /// Creates a request.
    public init(
        method: String,
        path: String,
        query: QueryParameters = QueryParameters(),
        headers: HeaderFields = HeaderFields(),
        body: [UInt8] = [],
        baseURL: String = "http://localhost",
        peer: String = ""
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
        self.baseURL = baseURL
        self.peer = peer
    }
}

extension ServerRequest {
    /// Whether the client is a program on this machine.
    public var isFromLoopback: Bool {
        peer == "127.0.0.1" || peer == "::1" || HTTPServer.isLoopback(peer)
    }

    /// The part of the client's address that one client cannot choose: an IPv4 address, or the first
    /// 64 bits of an IPv6 address (RFC 4291, section 2.5.1). Empty if the address is unknown.
    public var clientNetwork: String {
        peer.contains(":") ? IPAddress(peer)?.networkOf64Bits ?? "" : peer
    }
}
