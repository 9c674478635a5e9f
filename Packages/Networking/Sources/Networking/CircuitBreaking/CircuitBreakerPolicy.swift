/// When a ``CircuitBreakingHTTPClient`` opens a circuit, and for how long.
public struct CircuitBreakerPolicy: Sendable, Hashable {
    /// How many consecutive failures open the circuit; 3 by default. Values below 1 count as 1.
    public var failuresToOpen = 3
    /// How long the circuit stays open at first; 1 second by default. This time doubles with each
    /// failed probe.
    public var firstOpenDuration: Duration = .seconds(1)
    /// The longest time that a circuit stays open; 30 seconds by default. A `Retry-After` may
    /// require a longer time.
    public var maximumOpenDuration: Duration = .seconds(30)
    /// The longest `Retry-After` that is honored; 60 seconds by default. A longer `Retry-After` is
    /// reduced to this time.
    public var maximumRetryAfter: Duration = .seconds(60)

    /// Creates the default policy.
    public init() {}

    /// How long the circuit stays open the `openings`th time in a row, counted from 1. The time
    /// doubles up to ``maximumOpenDuration``, and is at least `retryAfter`, up to
    /// ``maximumRetryAfter``.
    func openDuration(openings: Int, retryAfter: Duration?) -> Duration {
        let backoff = min(
            firstOpenDuration.clamped * (1 << min(max(openings - 1, 0), 31)),
            maximumOpenDuration.clamped
        )
        return max(backoff, min((retryAfter ?? .zero).clamped, maximumRetryAfter.clamped))
    }
}
