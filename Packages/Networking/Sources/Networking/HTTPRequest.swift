/// A request.
public struct HTTPRequest: Sendable, Hashable {
    /// What is to be done.
    public var method: HTTPMethod
    /// To what: an absolute http or https URL.
    public var url: String
    /// Header fields beside those that the client adds.
    public var headers: HTTPHeaders
    /// What is sent along; a HEAD sends nothing.
    public var body: [UInt8]?
    /// The longest body of the answer in bytes, where the client's own limit is not short enough.
    public var maximumResponseBytes: Int?
    /// How long all of it may take, in milliseconds; nil for the client's limit, the shorter counts.
    public var totalMilliseconds: Int?
    /// Whether the response tells when the server's certificate expires: it takes a connection of
    /// its own.
    public var wantsCertificateExpiry = false
    /// Whether the request travels on a new HTTP/1.1 connection, which closes after the response.
    ///
    /// libcurl silently resends a request when a pooled connection ends without a response, but never
    /// on a new one. Methods other than GET and HEAD always use a new connection, even where this is
    /// false and whatever the headers say.
    public var usesFreshConnection = false
    /// Whether a ``CoalescingHTTPClient`` may answer it together with equal requests.
    public var coalescing = Coalescing.allowed(generation: 0)
    /// Where connections for this request may lead.
    public var allowedDestinations = AllowedDestinations.any
    /// Whether the client's own certificate is shown to a server that asks for one: not after a
    /// redirect to a different origin.
    var presentsClientCertificate = true

    /// Whether one transfer may answer several requests.
    public enum Coalescing: Sendable, Hashable {
        /// It may be shared by requests of the same generation. A caller that changes something on
        /// the server uses a new generation afterwards, so that later requests see the change.
        case allowed(generation: UInt64)
        /// It always has a transfer of its own.
        case never
    }

    /// Where connections may lead.
    public enum AllowedDestinations: Sendable, Hashable {
        /// Anywhere.
        case any
        /// To the origin of the URL `orOrigin` at any address, and elsewhere only to global unicast
        /// addresses, checked when the connection is made. Redirects follow the same rule.
        ///
        /// Connections elsewhere are new ones of HTTP/1.1, are never made through a proxy, since it
        /// hides the server's address, and do not show the client's certificate. What is not allowed
        /// throws `destinationNotAllowed`.
        case publicAddresses(orOrigin: String)
    }

    /// Makes a request.
    public init(
        _ method: HTTPMethod = .get,
        _ url: String,
        headers: HTTPHeaders = HTTPHeaders(),
        body: [UInt8]? = nil,
        totalMilliseconds: Int? = nil,
        maximumResponseBytes: Int? = nil
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.maximumResponseBytes = maximumResponseBytes
        self.totalMilliseconds = totalMilliseconds
    }

    /// Whether a connection of an earlier request may carry it, and libcurl may resend it.
    var mayUsePooledConnection: Bool {
        method.isSafe && !usesFreshConnection && !wantsCertificateExpiry
    }

    /// Whether sending it twice does what sending it once does.
    var mayBeRepeated: Bool {
        method.isIdempotent || headers["Idempotency-Key"] != nil
    }
}
