/// Receives a report about each request, for example to log it or to measure how long it takes.
///
/// Pass the same observer to a ``CurlHTTPClient``, for attempts, and to a ``RetryingHTTPClient``, for
/// requests with all their attempts. Both call it in the task that receives the result, before that
/// task continues, so it must return quickly. Each method does nothing by default.
public protocol HTTPClientObserver: Sendable {
    /// Called when an attempt of a ``CurlHTTPClient`` has ended: with the response, after
    /// redirects, or with an error. ``HTTPReport/attempts`` is the number of this attempt.
    ///
    /// A streamed response is reported when its reader has received nil, which ends the body, or an
    /// error. If the stream is released earlier, the report is a failure with `cancelled`.
    func didFinishAttempt(_ report: HTTPReport)

    /// Called when the last attempt of a request by a ``RetryingHTTPClient`` has ended.
    /// ``HTTPReport/attempts`` is the number of all attempts of this request.
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

/// The outcome of a request, or of one attempt to send it.
public struct HTTPReport: Sendable, Hashable {
    /// The request. Its headers may contain credentials, and its URL may contain text that a user
    /// entered.
    public var request: HTTPRequest
    /// The response, or the error if the request failed. A streamed response has only its head.
    public var result: Result<HTTPResponse, HTTPClientError>
    /// The number of attempts so far, including this one.
    public var attempts: Int
    /// The time from the start of the request or attempt until its end. For the time of each step, see
    /// ``HTTPResponse/metrics``.
    public var duration: Duration
    /// The size of the body that was received, after decompression; 0 after a failure, except for a
    /// stream, whose size is known even then.
    public var receivedBytes: Int

    /// Creates a report, for example in a test. If `receivedBytes` is nil, the report has the size
    /// of the response's body.
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
