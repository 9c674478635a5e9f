import WebPrimitives

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
    /// The body; empty if the request has none, and before ``receivingBody()``.
    public var body: [UInt8]
    /// The body if it was not yet asked for.
    var incomingBody: IncomingBody?
    /// The URL under which the client reached the server, without a slash at the end, such as
    /// `http://127.0.0.1:8080`. URLs in responses start with it.
    public var baseURL = "http://localhost"
    /// The client's IP address. Empty if it is unknown, for example because a trusted proxy does not
    /// state it.
    public var peer: String
    /// Whether the client named a loopback address, `localhost`, or the public URL as the host. A web
    /// page can make a browser send requests to this machine under the name of the page's own host, if
    /// the owner of that name lets it refer to this machine (DNS rebinding).
    public var hasOwnHost = true

    /// Creates a request.
    public init(
        method: String,
        path: String,
        query: QueryParameters = QueryParameters(),
        headers: HeaderFields = HeaderFields(),
        body: [UInt8] = [],
        peer: String = ""
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
        self.peer = peer
    }

    /// The request with its body; nil if the client does not send all of it.
    ///
    /// A handler that rejects a request by its header need not call this. Then the server receives at
    /// most a part of the body, and does not store it.
    public func receivingBody() async -> ServerRequest? {
        guard let incomingBody else { return self }
        guard let body = await incomingBody.bytes() else { return nil }
        var request = self
        (request.body, request.incomingBody) = (body, nil)
        return request
    }
}

extension ServerRequest {
    /// A request whose header was received.
    init(_ head: RequestHead, _ endpoint: Endpoint) {
        self.init(
            method: head.method,
            path: endpoint.url.removingPrefix(from: head.target.path),
            query: head.target.query,
            headers: head.headers,
            peer: endpoint.peer
        )
        (baseURL, hasOwnHost) = (endpoint.text, endpoint.hasOwnHost)
    }

    /// Whether the client is a program on this machine.
    public var isFromLoopback: Bool {
        peer == "127.0.0.1" || peer == "::1" || HTTPServer.isLoopback(peer)
    }

    /// The part of the client's address that one client cannot choose: an IPv4 address, or the first
    /// 64 bits of an IPv6 address (RFC 4291, section 2.5.1). Empty if the address is unknown.
    public var clientNetwork: String {
        guard peer.contains(":") else { return peer }
        return IPAddress(peer).map { IPAddress(bits: $0.bits & (.max << 64)).description } ?? ""
    }
}

/// The parameters of a query, in their order. Names are case-sensitive.
public struct QueryParameters: Sendable {
    private var parameters: [(name: String, value: String)]

    /// Creates a list of parameters.
    public init(_ parameters: [(name: String, value: String)] = []) {
        self.parameters = parameters
    }

    /// The first value of a parameter; nil if it is absent. A parameter without `=` has an empty
    /// value.
    public subscript(name: String) -> String? { parameters.first { $0.name == name }?.value }
}
