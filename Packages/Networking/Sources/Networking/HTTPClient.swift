/// Sends requests and returns responses.
///
/// Code that takes `any HTTPClient` can be tested without a server, with a client of the test's own
/// that returns prepared responses.
public protocol HTTPClient: Sendable {
    /// Sends a request and returns the response, whatever its status.
    ///
    /// If the task is cancelled, throws `cancelled` immediately.
    ///
    /// - Parameter request: The request.
    /// - Returns: The response with its whole body.
    /// - Throws: The reason why there is no response, and whether any byte may have been sent.
    func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse
}

/// Sends requests and returns responses whose body arrives in chunks.
///
/// Code that takes `any StreamingHTTPClient` can be tested without a server, with a client of the
/// test's own that returns streams of prepared chunks
/// (``HTTPResponseStream/init(_:chunks:failure:)``).
public protocol StreamingHTTPClient: Sendable {
    /// Sends a request and returns the response as soon as its head is complete, whatever its
    /// status.
    ///
    /// - Parameter request: The request.
    /// - Returns: The head of the response, and its body as a sequence of chunks.
    /// - Throws: The reason why there is no response. What happens later is thrown by the sequence.
    func stream(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponseStream
}
