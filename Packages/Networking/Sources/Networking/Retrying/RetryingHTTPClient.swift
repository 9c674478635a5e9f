/// A client that retries requests that may be sent twice: those with an idempotent method or an
/// `Idempotency-Key`.
///
/// It retries after a failed connection and after 408, 429, 502, 503, and 504, with exponential
/// backoff and full jitter, and never sooner than `Retry-After` asks. It returns the last response or
/// error after the policy's attempts, when the delay would not end before the timeout, or when the
/// budget that all its requests share is used up. Copies share that budget.
public struct RetryingHTTPClient: HTTPClient {
    private let client: any HTTPClient
    private let policy: RetryPolicy
    private let clock: any RetryClock
    private let jitter: @Sendable (Duration) -> Duration
    private let budget: RetryBudget

    /// Wraps a client. `jitter` picks a delay between zero and its argument.
    public init(
        _ client: any HTTPClient,
        policy: RetryPolicy = RetryPolicy(),
        clock: any RetryClock = SystemRetryClock(),
        jitter: @escaping @Sendable (Duration) -> Duration = { $0 * Double.random(in: 0...1) }
    ) {
        self.client = client
        self.policy = policy
        self.clock = clock
        self.jitter = jitter
        budget = RetryBudget(policy)
    }

    /// See ``HTTPClient/send(_:)``. The `mayHaveBeenSent` of an error covers all attempts: it is false
    /// only when none can have been sent.
    public func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse {
        guard request.mayBeRepeated else { return try await client.send(request) }
        let deadline =
            clock.now + min(request.totalTimeout ?? .longest, policy.totalTimeout).clamped
        var request = request
        var mayHaveBeenSent = false
        var attempts = 0
        while true {
            request.totalTimeout = clock.now.duration(to: deadline)
            let outcome = await RetryOutcome(of: request, by: client)
            attempts += 1
            mayHaveBeenSent = mayHaveBeenSent || outcome.mayHaveBeenSent
            guard let delay = delay(after: outcome, attempts: attempts, until: deadline) else {
                return try outcome.get(mayHaveBeenSent: mayHaveBeenSent)
            }
            try await wait(delay, mayHaveBeenSent: mayHaveBeenSent)
        }
    }

    /// The delay before the next attempt; nil when there is none.
    private func delay(
        after outcome: RetryOutcome,
        attempts: Int,
        until deadline: ContinuousClock.Instant
    ) -> Duration? {
        guard outcome.isTransient else {
            if outcome.isResponse { budget.refill() }
            return nil
        }
        guard attempts < policy.maximumAttempts else { return nil }
        let delay =
            outcome.retryAfter(now: clock.date)
            + jitter(policy.longestDelay(afterAttempts: attempts))
        guard delay < clock.now.duration(to: deadline), budget.take() else { return nil }
        return delay
    }

    private func wait(
        _ delay: Duration,
        mayHaveBeenSent: Bool
    ) async throws(HTTPClientError) {
        do throws(CancellationError) {
            try await clock.sleep(for: delay)
        } catch {
            throw HTTPClientError(.cancelled, mayHaveBeenSent: mayHaveBeenSent)
        }
    }
}
