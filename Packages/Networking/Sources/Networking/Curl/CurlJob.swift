/// A request whose caller waits for the response.
///
/// A class, so that moving it from the queue to a transfer does not copy the request.
final class CurlJob: Sendable {
    typealias Continuation = UnsafeContinuation<Result<HTTPResponse, HTTPClientError>, Never>

    let id: UInt64
    let request: HTTPRequest
    let timeout: Duration
    /// Resumed exactly once: a job is either queued or in ``MultiHandle/transfers``, and the code
    /// that removes it resumes the continuation.
    let continuation: Continuation

    init(id: UInt64, request: HTTPRequest, timeout: Duration, continuation: Continuation) {
        (self.id, self.request, self.timeout) = (id, request, timeout)
        self.continuation = continuation
    }
}
