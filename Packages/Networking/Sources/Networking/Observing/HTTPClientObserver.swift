/// Receives a report about each request, for example to log it or to measure how long it takes.
///
/// Pass the same observer to a ``CurlHTTPClient``, for attempts, and to a ``RetryingHTTPClient``, for
/// requests with all their attempts. Both call it in the task that receives the result, before that
/// task continues, so it must return quickly. Each method does nothing by default.
public protocol HTTPClientObserver: Sendable {
    /// A ``CurlHTTPClient`` has received a response, including redirects, or has failed to.
    /// ``HTTPReport/attempts`` is the number of this attempt.
    ///
    /// A streamed response is reported when its reader has received the last byte or an error. If the
    /// stream is released earlier, the report is a failure with `cancelled`.
    func didFinishAttempt(_ report: HTTPReport)

    /// A ``RetryingHTTPClient`` will not repeat a request again. ``HTTPReport/attempts`` is the number
    /// of all its attempts.
    func didFinishRequest(_ report: HTTPReport)
}

extension HTTPClientObserver {
    /// Does nothing.
    public func didFinishAttempt(_ report: HTTPReport) {}
    /// Does nothing.
    public func didFinishRequest(_ report: HTTPReport) {}

    /// Reports an attempt that ends now.
    func reportAttempt(
        _ request: HTTPRequest,
        since start: ContinuousClock.Instant,
        _ result: Result<HTTPResponse, HTTPClientError>,
        receivedBytes: Int? = nil
    ) {
        didFinishAttempt(
            HTTPReport(
                request: request,
                result: result,
                attempts: request.attempt,
                duration: start.duration(to: .now),
                receivedBytes: receivedBytes
            )
        )
    }
}

/// How a request, or an attempt to send it, went.
public struct HTTPReport: Sendable, Hashable {
    /// The request. Its headers may contain credentials, and its URL what a user entered.
    public var request: HTTPRequest
    /// The response, of which only the head if it was streamed, or the reason why it is missing.
    public var result: Result<HTTPResponse, HTTPClientError>
    /// The number of attempts so far, including this one.
    public var attempts: Int
    /// The time from the start of the request or attempt until its end. For the time of each step, see
    /// ``HTTPResponse/metrics``.
    public var duration: Duration
    /// The size of the body that was received, after decompression. After a failure, it is known only
    /// for a stream, and otherwise 0.
    public var receivedBytes: Int

    /// Creates a report, for example in a test. Without `receivedBytes`, they are those of the
    /// response's body.
    public init(
        request: HTTPRequest,
        result: Result<HTTPResponse, HTTPClientError>,
        attempts: Int = 1,
        duration: Duration,
        receivedBytes: Int? = nil
    ) {
        (self.request, self.result, self.attempts) = (request, result, attempts)
        self.duration = duration
        self.receivedBytes = receivedBytes ?? (try? result.get().body.count) ?? 0
    }
}
