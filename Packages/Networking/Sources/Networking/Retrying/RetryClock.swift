/// The clock of a ``RetryingHTTPClient`` and a ``CircuitBreakingHTTPClient``.
public protocol RetryClock: Sendable {
    /// The current instant of a monotonic clock.
    var now: ContinuousClock.Instant { get }
    /// The current date, for a `Retry-After` that contains a date.
    var date: HTTPDate { get }
    /// Returns after `duration`; throws immediately when the task is cancelled.
    func sleep(for duration: Duration) async throws(CancellationError)
}
