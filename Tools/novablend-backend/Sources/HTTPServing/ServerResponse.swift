/// A complete HTTP response.
public struct ServerResponse: Sendable {
    /// The status code, 200 to 599.
    public var status: Int
    /// The header fields. The server adds `Content-Length`, `Date`, and `Connection` itself.
    public var headers: HeaderFields
    /// The complete body. A response to HEAD is sent without it.
    public var body: [UInt8]

    /// Creates a response.
    public init(
        status: Int,
        headers: HeaderFields = ["Content-Type": "application/json"],
        body: [UInt8] = []
    ) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
