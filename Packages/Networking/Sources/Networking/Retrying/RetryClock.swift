public import WebPrimitives

/// The clock of a ``RetryingHTTPClient`` and a ``CircuitBreakingHTTPClient``.
public protocol RetryClock: Sendable {
    /// The current instant of a monotonic clock.
    var now: ContinuousClock.Instant { get }
    /// The current date, to interpret dates in `Retry-After`.
    var date: HTTPDate { get }
    /// Returns after `duration`. Throws as soon as the task is cancelled.
    func sleep(for duration: Duration) async throws(CancellationError)
}
