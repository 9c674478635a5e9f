/// When a ``CircuitBreakingHTTPClient`` opens a circuit, and for how long.
public struct CircuitBreakerPolicy: Sendable, Hashable {
    /// How many consecutive failures open the circuit; below 1 counts as 1.
    public var failuresToOpen = 3
    /// How long the circuit stays open at first; it doubles with each failed probe.
    public var firstOpenDuration: Duration = .seconds(1)
    /// The longest time that it stays open without `Retry-After`.
    public var maximumOpenDuration: Duration = .seconds(30)
    /// The longest `Retry-After` that is honored.
    public var maximumRetryAfter: Duration = .seconds(60)

    /// Creates the default policy.
    public init() {}

    /// How long the circuit stays open the `openings`th time in a row, counted from 1: exponential,
    /// and never shorter than the server asked for.
    func openDuration(openings: Int, retryAfter: Duration?) -> Duration {
        let backoff = min(
            firstOpenDuration.clamped * (1 << min(max(openings - 1, 0), 31)),
            maximumOpenDuration.clamped
        )
        return max(backoff, min((retryAfter ?? .zero).clamped, maximumRetryAfter.clamped))
    }
}
