/// Bodies in chunks.
///
/// These requests do not pass through clients that wrap this one, such as ``RetryingHTTPClient``,
/// because a body that has been read or sent in part cannot be repeated. They use HTTP/1.1.
extension CurlHTTPClient {
    /// Sends a request and returns the response as soon as its head is complete, whatever its
    /// status.
    ///
    /// The limits of the client apply, but the request's own limits may be larger: for a long
    /// stream, set ``HTTPRequest/totalTimeout`` and ``HTTPRequest/maximumResponseBytes``. Redirects
    /// are followed for GET and HEAD without an upload.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - upload: A body to send instead of the request's own; nil for none. The server may respond
    ///     before it has received all of it. A HEAD request sends none.
    /// - Returns: The head of the response, and its body as a sequence of chunks.
    /// - Throws: The reason why there is no response. What happens later is thrown by the sequence.
    public func stream(
        _ request: HTTPRequest,
        uploading upload: HTTPUpload? = nil
    ) async throws(HTTPClientError) -> HTTPResponseStream {
        let (head, buffer) = try await exchange(request, upload: upload, isStreamed: true)
        guard let buffer else { throw HTTPClientError(.other, mayHaveBeenSent: true) }
        return HTTPResponseStream(head, buffer, of: self)
    }

    /// Sends a request with a body in chunks, and returns the whole response, whatever its status.
    ///
    /// No part of the body is sent again: redirects are not followed. The client does not ask for
    /// permission with `Expect: 100-continue`. A server that does not want the body can respond
    /// early, which ends the upload.
    ///
    /// - Parameters:
    ///   - request: The request. Its ``HTTPRequest/totalTimeout`` may be longer than the client's.
    ///   - upload: A body to send instead of the request's own.
    /// - Returns: The response.
    /// - Throws: See ``HTTPClient/send(_:)``; also `uploadFailed`.
    public func send(
        _ request: HTTPRequest,
        uploading upload: HTTPUpload
    ) async throws(HTTPClientError) -> HTTPResponse {
        try await exchange(request, upload: upload, isStreamed: false).head
    }
}
