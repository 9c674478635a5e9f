/// An answer, whatever its status.
public struct HTTPResponse: Sendable, Hashable {
    /// The status code.
    public var status: Int
    /// The header fields as they came: `Content-Length` may be that of the compressed body.
    public var headers: HTTPHeaders
    /// The body, decompressed.
    public var body: [UInt8]
    /// The URL that answered, after redirects.
    public var url: String
    /// When the certificate of the server expires; nil unless the request wanted to know, and the
    /// server showed one.
    public var certificateExpiry: HTTPDate?

    /// Makes a response.
    public init(status: Int, headers: HTTPHeaders, body: [UInt8], url: String) {
        self.status = status
        self.headers = headers
        self.body = body
        self.url = url
    }
}
