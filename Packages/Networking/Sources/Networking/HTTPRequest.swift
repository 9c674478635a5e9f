/// An HTTP request.
public struct HTTPRequest: Sendable, Hashable {
    /// The method.
    public var method: HTTPMethod
    /// An absolute http or https URL.
    public var url: String
    /// Header fields in addition to those that the client adds.
    public var headers: HTTPHeaders
    /// The body; a HEAD request sends none.
    public var body: [UInt8]?
    /// The largest response body in bytes, if smaller than the client's limit.
    public var maximumResponseBytes: Int?
    /// The time for the whole exchange, if shorter than the client's timeout. Zero or less lets
    /// nothing through.
    public var totalTimeout: Duration?
    /// Whether the response reports when the server's certificate expires. Such a request uses a new
    /// connection.
    public var wantsCertificateExpiry = false
    /// Whether the request uses a new HTTP/1.1 connection, which closes after the response.
    ///
    /// libcurl silently resends a request when a pooled connection ends without a response, but never
    /// on a new one. Methods other than GET and HEAD always use a new connection, even where this is
    /// false and whatever the headers say.
    public var usesFreshConnection = false
    /// Whether a ``CoalescingHTTPClient`` may share one transfer with equal requests.
    public var coalescing = Coalescing.allowed(generation: 0)
    /// The servers that this request may connect to.
    public var allowedDestinations = AllowedDestinations.any
    /// Whether the client shows its own certificate to a server that asks for one: not after a
    /// redirect to a different origin.
    var presentsClientCertificate = true

    /// Whether one transfer may serve several requests.
    public enum Coalescing: Sendable, Hashable {
        /// Requests of the same generation may share it. A caller that changes something on the
        /// server uses a new generation afterwards, so that later requests see the change.
        case allowed(generation: UInt64)
        /// The request always has its own transfer.
        case never
    }

    /// The addresses that a request may connect to.
    public enum AllowedDestinations: Sendable, Hashable {
        /// Any address.
        case any
        /// Any address for the origin of the URL `orOrigin`, and only global unicast addresses for
        /// other origins, checked when the connection is made. Redirects follow the same rule.
        ///
        /// Connections to other origins are new HTTP/1.1 connections. They never go through a proxy,
        /// since it hides the server's address, and do not show the client's certificate. A
        /// connection that is not allowed throws `destinationNotAllowed`.
        case publicAddresses(orOrigin: String)
    }

    /// Creates a request.
    public init(
        _ method: HTTPMethod = .get,
        _ url: String,
        headers: HTTPHeaders = HTTPHeaders(),
        body: [UInt8]? = nil,
        totalTimeout: Duration? = nil,
        maximumResponseBytes: Int? = nil
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.maximumResponseBytes = maximumResponseBytes
        self.totalTimeout = totalTimeout
    }

    /// Whether the request may use a pooled connection, on which libcurl may resend it.
    var mayUsePooledConnection: Bool {
        method.isSafe && !usesFreshConnection && !wantsCertificateExpiry
    }

    /// Whether sending it twice has the same effect as sending it once.
    var mayBeRepeated: Bool {
        method.isIdempotent || headers["Idempotency-Key"] != nil
    }
}
