/// A request whose caller waits for the response.
///
/// A class, because the queue, the transfer table, and a transfer hold it in turn.
final class CurlJob: Sendable {
    typealias Continuation = UnsafeContinuation<Result<HTTPResponse, HTTPClientError>, Never>

    let id: UInt64
    let request: HTTPRequest
    let timeout: Duration
    /// Resumed exactly once: a job is either in the queue or in the transfer table, and the code that
    /// removes it resumes the continuation.
    private let continuation: Continuation

    init(id: UInt64, request: HTTPRequest, timeout: Duration, continuation: Continuation) {
        (self.id, self.request, self.timeout) = (id, request, timeout)
        self.continuation = continuation
    }

    func complete(_ result: Result<HTTPResponse, HTTPClientError>) {
        continuation.resume(returning: result)
    }
}
