/// An HTTP request.
public struct HTTPRequest: Sendable, Hashable {
    /// The method of the request.
    public var method: HTTPMethod
    /// An absolute http or https URL, in which all characters that need it are percent-encoded (RFC
    /// 3986, section 2.1). A URL with spaces or control characters is rejected. Dot segments and the
    /// fragment are removed.
    public var url: String
    /// Header fields in addition to those that the client adds: `Host`, `Accept`, `Accept-Encoding`,
    /// and the length of the body, but no `Content-Type`.
    public var headers: HTTPHeaders
    /// The body. A HEAD request sends none.
    public var body: [UInt8]?
    /// The largest response body in bytes, after decompression; nil for
    /// ``HTTPLimits/maximumBodyBytes``. The smaller limit applies, except that a streamed response
    /// and a download may exceed the client's limit.
    public var maximumResponseBytes: Int?
    /// The time for the whole exchange, including redirects, retries, and the body of a stream; 30
    /// seconds by default. With zero or less, the request fails. No timeout is longer than 24 days.
    public var totalTimeout: Duration
    /// The longest time to connect, and without data in either direction; nil for the client's
    /// ``HTTPLimits/connectTimeout`` and ``HTTPLimits/stallTimeout``. The smaller limit applies.
    public var stallTimeout: Duration?
    /// Whether the response reports when the server's certificate expires; false by default. Such a
    /// request uses a new connection.
    public var wantsCertificateExpiry = false
    /// Whether the request uses a new HTTP/1.1 connection, which closes after the response; false by
    /// default.
    ///
    /// libcurl silently resends a request when a pooled connection ends without a response, but it
    /// never does so on a new connection. Methods other than GET and HEAD always use a new
    /// connection, even if this is false.
    public var usesFreshConnection = false
    /// The addresses that this request may connect to; by default, any.
    public var allowedDestinations = AllowedDestinations.any
    /// Whether a redirect to a different origin is an error; false by default. The response then
    /// certainly comes from the URL's origin, which has received the credentials of the request.
    public var staysOnOrigin = false
    /// Whether the client presents its certificate to a server that asks for one. False after a
    /// redirect to a different origin.
    var presentsClientCertificate = true

    /// The addresses that a request may connect to, checked for each new connection.
    public enum AllowedDestinations: Sendable, Hashable {
        /// The request may connect to any address.
        case any
        /// Only global unicast addresses, except that requests to the origin of the URL `orOrigin`
        /// may connect to any address. Both rules also apply after a redirect.
        ///
        /// Requests to other origins use new HTTP/1.1 connections and do not present the client's
        /// certificate. They never go through a proxy, which would hide the server's address. If a
        /// proxy is configured, or if no address is allowed, the request throws
        /// `destinationNotAllowed`.
        case publicAddresses(orOrigin: String)
    }

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - url: An absolute http or https URL without a user name or password.
    ///   - headers: Header fields in addition to those that the client adds.
    ///   - body: The body; nil for none.
    ///   - totalTimeout: See ``totalTimeout``.
    ///   - maximumResponseBytes: See ``maximumResponseBytes``.
    public init(
        method: HTTPMethod,
        url: String,
        headers: HTTPHeaders = HTTPHeaders(),
        body: [UInt8]? = nil,
        totalTimeout: Duration = .seconds(30),
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
}

/// A request method (RFC 9110, section 9).
public struct HTTPMethod: Sendable, Hashable {
    /// The name of the method, as in the request line.
    public let rawValue: String

    /// Creates a method from its name, which is case-sensitive, such as `PROPFIND`.
    ///
    /// Returns nil if the name is not a token (RFC 9110, section 5.6.2), and for `CONNECT`, which
    /// requests a tunnel instead of a response.
    public init?(_ rawValue: String) {
        guard !rawValue.isEmpty, rawValue.utf8.allSatisfy(\.isTokenByte), rawValue != "CONNECT"
        else { return nil }
        self.rawValue = rawValue
    }

    private init(known rawValue: String) { self.rawValue = rawValue }

    /// Reads a resource.
    public static let get = HTTPMethod(known: "GET")
    /// Reads the headers of a resource.
    public static let head = HTTPMethod(known: "HEAD")
    /// Performs an action that the resource defines.
    public static let post = HTTPMethod(known: "POST")
    /// Replaces a resource.
    public static let put = HTTPMethod(known: "PUT")
    /// Changes a part of a resource.
    public static let patch = HTTPMethod(known: "PATCH")
    /// Deletes a resource.
    public static let delete = HTTPMethod(known: "DELETE")

    /// Whether the method is GET or HEAD. The other safe methods (RFC 9110, section 9.2.1), OPTIONS
    /// and TRACE, are handled like those that change something.
    var isSafe: Bool { self == .get || self == .head }

    /// Whether a repeated request has the same effect as a single one (RFC 9110, section 9.2.2).
    /// False for a method that is not defined there.
    public var isIdempotent: Bool {
        switch rawValue {
        case "GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE": true
        default: false
        }
    }
}
