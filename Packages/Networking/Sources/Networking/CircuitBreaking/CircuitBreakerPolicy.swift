/// When a ``CircuitBreakingHTTPClient`` opens a circuit, and for how long.
public struct CircuitBreakerPolicy: Sendable, Hashable {
    /// How many consecutive failures open the circuit; below 1 counts as 1.
    public var failuresToOpen = 3
    /// How long the circuit stays open at first, in milliseconds; it doubles with each failed probe.
    public var firstOpenMilliseconds = 1_000
    /// The longest time that it stays open without `Retry-After`, in milliseconds.
    public var maximumOpenMilliseconds = 30_000
    /// The longest `Retry-After` that is honored, in seconds.
    public var maximumRetryAfterSeconds = 60

    /// Makes the policy named above.
    public init() {}

    /// How long the circuit stays open, in milliseconds, the `openings`th time in a row, counted from
    /// 1: exponential, and never shorter than the server asked for.
    func openMilliseconds(openings: Int, retryAfterSeconds: Int?) -> Int {
        let first = min(max(firstOpenMilliseconds, 0), Int(Int32.max))
        let backoff = min(first << min(max(openings - 1, 0), 31), max(maximumOpenMilliseconds, 0))
        let bound = min(max(maximumRetryAfterSeconds, 0), Int(Int32.max))
        return max(backoff, min(max(retryAfterSeconds ?? 0, 0), bound) * 1_000)
    }
}
