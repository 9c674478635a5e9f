/// Sends requests and gives answers.
public protocol HTTPClient: Sendable {
    /// Sends a request; any status is an answer. Cancelling the task ends the transfer at once, and
    /// the request's own limit of time is kept.
    func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse
}
