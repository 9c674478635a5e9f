/// How often and how long a ``RetryingHTTPClient`` tries.
public struct RetryPolicy: Sendable, Hashable {
    /// The most tries of one request, the first included; below 1 counts as 1.
    public var maximumTries = 4
    /// The longest wait before the second try, in milliseconds; it doubles with each further try.
    public var firstDelayMilliseconds = 250
    /// The longest wait of all, in milliseconds, beside what `Retry-After` asks for.
    public var maximumDelayMilliseconds = 4_000
    /// How long all tries and waits may take, in milliseconds, where the request has no limit of its
    /// own; the shorter counts.
    public var totalMilliseconds = 30_000
    /// How many retries all requests may make together before successes must pay for more.
    public var budget = 10
    /// How many successes pay for one more retry.
    public var successesPerRetry = 10

    /// Makes the policy named above.
    public init() {}

    /// The longest wait after that many tries: exponential, before jitter.
    func longestDelayMilliseconds(afterTries tries: Int) -> Int {
        let bounds = 0...Int(Int32.max)
        let first = min(max(firstDelayMilliseconds, bounds.lowerBound), bounds.upperBound)
        let cap = min(max(maximumDelayMilliseconds, bounds.lowerBound), bounds.upperBound)
        return min(first << min(max(tries - 1, 0), 31), cap)
    }
}
