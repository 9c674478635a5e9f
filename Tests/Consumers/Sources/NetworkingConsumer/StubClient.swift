import Networking

/// A client that sends nothing and returns the same response to every request.
struct StubClient: HTTPClient {
    let status: Int
    let headers: HTTPHeaders

    func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse {
        HTTPResponse(status: status, headers: headers, url: request.url)
    }
}
