public import WebPrimitives

/// An HTTP response.
public struct HTTPResponse: Sendable, Hashable {
    /// The status code.
    public var status: Int
    /// The header fields as received. `Content-Length` may be the length of the compressed body.
    public var headers: HTTPHeaders
    /// The decompressed body; empty if it is streamed.
    public var body: [UInt8]
    /// The URL of the response, after redirects.
    public var url: String
    /// When the server's certificate expires; nil if the request did not ask for it
    /// (``HTTPRequest/wantsCertificateExpiry``) or the server presented no certificate.
    public var certificateExpiry: HTTPDate?

    /// How long the parts of the exchange took; nil if the request did not ask for it
    /// (``HTTPRequest/wantsMetrics``).
    public var metrics: HTTPMetrics? {
        get {
            guard case .metrics(let metrics) = box else { return nil }
            return metrics
        }
        set { box = newValue.map { .metrics($0) } }
    }
    private var box: Box?

    /// Metrics are large and rare, and every response is copied a few times.
    private indirect enum Box: Sendable, Hashable {
        case metrics(HTTPMetrics)
    }

    /// Creates a response, for example in a test.
    public init(
        status: Int,
        headers: HTTPHeaders = HTTPHeaders(),
        body: [UInt8] = [],
        url: String
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.url = url
    }
}
