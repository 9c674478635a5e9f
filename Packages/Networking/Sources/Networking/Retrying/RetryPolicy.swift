/// How often a ``RetryingHTTPClient`` retries. ``HTTPRequest/totalTimeout`` limits all attempts and
/// delays together.
public struct RetryPolicy: Sendable, Hashable {
    /// The maximum number of attempts for one request, including the first; 4 by default. Values
    /// below 1 count as 1.
    public var maximumAttempts = 4
    /// The maximum delay before the second attempt; 250 ms by default. It doubles with each further
    /// attempt.
    public var firstDelay: Duration = .milliseconds(250)
    /// The largest value that the maximum delay reaches by doubling; 4 seconds by default. A
    /// `Retry-After` is added to the delay.
    public var maximumDelay: Duration = .seconds(4)
    /// How many retries all requests together may make until successes refill the budget; 10 by
    /// default.
    public var budget = 10
    /// How many successes refill the budget by one retry; 10 by default.
    public var successesPerRetry = 10

    /// Creates the default policy.
    public init() {}

    /// The longest delay after `attempts` attempts: exponential backoff, before jitter.
    func longestDelay(afterAttempts attempts: Int) -> Duration {
        min(firstDelay.clamped * (1 << min(max(attempts - 1, 0), 31)), maximumDelay.clamped)
    }
}
