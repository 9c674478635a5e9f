/// Sends requests and returns responses.
public protocol HTTPClient: Sendable {
    /// Sends a request and returns the response, whatever its status.
    ///
    /// If the task is cancelled, throws `cancelled` immediately.
    func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse
}
