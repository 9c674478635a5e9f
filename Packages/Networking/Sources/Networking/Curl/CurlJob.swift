/// A request whose caller waits for the response, or for its head if the body is streamed.
///
/// A class, so that moving it from the queue to a transfer does not copy the request.
final class CurlJob: Sendable {
    typealias Continuation = UnsafeContinuation<Result<HTTPResponse, HTTPClientError>, Never>

    let id: UInt64
    let request: HTTPRequest
    let timeout: Duration
    /// Receives the body; nil if the body is part of the response.
    let response: ResponseBuffer?
    /// Supplies the request's body; nil if ``HTTPRequest/body`` is sent.
    let upload: UploadBuffer?
    /// Resumed exactly once: a job is either queued or in ``MultiHandle/transfers``, and the code
    /// that removes it resumes the continuation.
    let continuation: Continuation

    init(
        id: UInt64,
        request: HTTPRequest,
        timeout: Duration,
        response: ResponseBuffer?,
        upload: UploadBuffer?,
        continuation: Continuation
    ) {
        (self.id, self.request, self.timeout) = (id, request, timeout)
        (self.response, self.upload, self.continuation) = (response, upload, continuation)
    }

    /// Whether the request's handle can be shared with any other plain request: it differs from
    /// them only in its URL, headers, and timeout.
    var isPlain: Bool { response == nil && upload == nil && request.isPlain }
}
