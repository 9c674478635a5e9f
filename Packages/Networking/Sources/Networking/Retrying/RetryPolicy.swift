/// How often and how long a ``RetryingHTTPClient`` retries.
public struct RetryPolicy: Sendable, Hashable {
    /// The most attempts for one request, including the first; below 1 counts as 1.
    public var maximumAttempts = 4
    /// The longest delay before the second attempt; it doubles with each further attempt.
    public var firstDelay: Duration = .milliseconds(250)
    /// The longest delay, in addition to what `Retry-After` asks for.
    public var maximumDelay: Duration = .seconds(4)
    /// The time for all attempts and delays. A shorter timeout of the request takes precedence.
    public var totalTimeout: Duration = .seconds(30)
    /// How many retries all requests together may make before successes must pay for more.
    public var budget = 10
    /// How many successes pay for one more retry.
    public var successesPerRetry = 10

    /// Creates the default policy.
    public init() {}

    /// The longest delay after that many attempts: exponential backoff, before jitter.
    func longestDelay(afterAttempts attempts: Int) -> Duration {
        min(firstDelay.clamped * (1 << min(max(attempts - 1, 0), 31)), maximumDelay.clamped)
    }
}
