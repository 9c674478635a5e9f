import Networking

/// A client that sends nothing and returns the same response to every request.
struct StubClient: HTTPClient {
    let status: Int
    let headers: HTTPHeaders

    func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse {
        HTTPResponse(status: status, headers: headers, url: request.url)
    }
}

/// A client that sends nothing and returns a stream of the same chunks to every request.
struct StubStreamingClient: StreamingHTTPClient {
    let chunks: [[UInt8]]

    func stream(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponseStream {
        HTTPResponseStream(HTTPResponse(status: 200, url: request.url), chunks: chunks)
    }
}
