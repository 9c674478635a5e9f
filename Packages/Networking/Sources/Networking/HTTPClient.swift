/// Sends requests and returns responses.
public protocol HTTPClient: Sendable {
    /// Sends a request and returns the response, whatever its status.
    ///
    /// Cancelling the task ends the transfer immediately.
    func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse
}
