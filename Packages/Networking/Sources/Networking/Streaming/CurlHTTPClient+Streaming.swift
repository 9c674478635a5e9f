/// Bodies in chunks.
///
/// These requests do not pass through clients that wrap this one, such as ``RetryingHTTPClient``,
/// because a body that has been read or sent in part cannot be repeated. They use HTTP/1.1.
extension CurlHTTPClient: StreamingHTTPClient {
    /// See ``StreamingHTTPClient/stream(_:)``. Redirects are followed for GET and HEAD.
    ///
    /// For a long stream, set ``HTTPRequest/totalTimeout`` and ``HTTPRequest/maximumResponseBytes``,
    /// which may be larger than the client's limit. The ``HTTPLimits/stallTimeout`` is that of the
    /// client.
    public func stream(
        _ request: HTTPRequest
    ) async throws(HTTPClientError) -> HTTPResponseStream {
        try await stream(request, body: nil)
    }

    /// Sends a request with a body in chunks, and returns the response as soon as its head is complete,
    /// whatever its status. Redirects are not followed.
    ///
    /// - Parameters:
    ///   - request: The request; see ``stream(_:)``.
    ///   - upload: A body to send instead of the request's own. The server may respond before it has
    ///     received all of it. A HEAD request sends none.
    /// - Returns: The head of the response, and its body as a sequence of chunks.
    /// - Throws: The reason why there is no response. What happens later is thrown by the sequence.
    public func stream(
        _ request: HTTPRequest,
        uploading upload: HTTPUpload
    ) async throws(HTTPClientError) -> HTTPResponseStream {
        try await stream(request, body: upload)
    }

    private func stream(
        _ request: HTTPRequest,
        body upload: HTTPUpload?
    ) async throws(HTTPClientError) -> HTTPResponseStream {
        let deadline = request.deadline(from: .now)
        var chain = RedirectChain(request, limit: limits.maximumRedirects)
        do {
            try checkHeaders(of: request)
            while true {
                let id = loop.makeID()
                let buffer = ResponseBuffer(loop, id: id)
                let head = try await run(chain.request, id, until: deadline, buffer, upload)
                // If the redirect is followed or rejected, the stream is released, which ends it.
                let stream = HTTPResponseStream(head, buffer, of: self)
                if upload == nil, try chain.follow(head) { continue }
                return stream
            }
        } catch {
            throw chain.error(error)
        }
    }

    /// Sends a request with a body in chunks, and returns the whole response, whatever its status.
    ///
    /// No part of the body is sent again: redirects are not followed. The client does not ask for
    /// permission with `Expect: 100-continue`. A server that does not want the body can respond
    /// early, which ends the upload.
    ///
    /// - Parameters:
    ///   - request: The request. Its ``HTTPRequest/totalTimeout`` includes the time to send the body.
    ///   - upload: A body to send instead of the request's own.
    /// - Returns: The response.
    /// - Throws: See ``HTTPClient/send(_:)``; also `uploadFailed`.
    public func send(
        _ request: HTTPRequest,
        uploading upload: HTTPUpload
    ) async throws(HTTPClientError) -> HTTPResponse {
        let deadline = request.deadline(from: .now)
        try checkHeaders(of: request)
        return try await run(request, loop.makeID(), until: deadline, nil, upload)
    }

    private func run(
        _ request: HTTPRequest,
        _ id: UInt64,
        until deadline: ContinuousClock.Instant,
        _ response: ResponseBuffer?,
        _ upload: HTTPUpload?
    ) async throws(HTTPClientError) -> HTTPResponse {
        let source = upload.map { UploadBuffer($0, loop, id: id) }
        do {
            return try await loop.run(
                request,
                id: id,
                until: deadline,
                response: response,
                upload: source
            )
        } catch {
            // A transfer that did not start does not end the upload.
            source?.end()
            throw error
        }
    }
}
