import Glibc
public import WebPrimitives

/// The clock of a ``RetryingHTTPClient`` and a ``CircuitBreakingHTTPClient``.
public protocol RetryClock: Sendable {
    /// The current instant of a monotonic clock.
    var now: ContinuousClock.Instant { get }
    /// The current date, to interpret dates in `Retry-After`.
    var date: HTTPDate { get }
    /// Returns after `duration`. Throws `CancellationError` as soon as the task is cancelled, and any
    /// other error to prevent the retry, so that the result of the last attempt counts.
    func sleep(for duration: Duration) async throws
}

/// The system's clocks.
public struct SystemRetryClock: RetryClock {
    /// Creates the clock.
    public init() {}

    /// The current instant.
    public var now: ContinuousClock.Instant { .now }

    /// The current date.
    public var date: HTTPDate { HTTPDate(secondsSince1970: time(nil)) }

    /// Returns after `duration`. Throws as soon as the task is cancelled.
    public func sleep(for duration: Duration) async throws { try await Task.sleep(for: duration) }
}
