/// A client that tries again what may be sent twice: idempotent methods, and any with an
/// `Idempotency-Key`.
///
/// It does so after a failed connection and after 408, 429, 502, 503 and 504, with exponential
/// backoff and full jitter, never sooner than `Retry-After` asks. It gives up, with the last answer
/// or error, after the policy's tries, when the wait would not end within the limit of time, or when
/// the budget that all its requests share is used up. Copies share that budget.
public struct RetryingHTTPClient: HTTPClient {
    private let client: any HTTPClient
    private let policy: RetryPolicy
    private let clock: any RetryClock
    private let random: @Sendable (ClosedRange<Int>) -> Int
    private let budget: RetryBudget

    /// Wraps a client; `random` picks a wait in milliseconds.
    public init(
        _ client: any HTTPClient,
        policy: RetryPolicy = RetryPolicy(),
        clock: any RetryClock = SystemRetryClock(),
        random: @escaping @Sendable (ClosedRange<Int>) -> Int = { Int.random(in: $0) }
    ) {
        self.client = client
        self.policy = policy
        self.clock = clock
        self.random = random
        budget = RetryBudget(policy)
    }

    /// See ``HTTPClient/send(_:)``. An error tells of all tries: `mayHaveBeenSent` is false only when
    /// that is certain for each.
    public func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse {
        guard request.mayBeRepeated else { return try await client.send(request) }
        let start = clock.milliseconds
        let limit = max(0, min(request.totalMilliseconds ?? .max, policy.totalMilliseconds))
        var request = request
        request.totalMilliseconds = limit
        var mayHaveBeenSent = false
        var tries = 0
        while true {
            let outcome = await RetryOutcome(of: request, by: client)
            tries += 1
            mayHaveBeenSent = mayHaveBeenSent || outcome.mayHaveBeenSent
            let left = limit - (clock.milliseconds - start)
            guard let delay = delay(after: outcome, tries: tries, left: left) else {
                return try outcome.get(mayHaveBeenSent: mayHaveBeenSent)
            }
            try await wait(delay, mayHaveBeenSent: mayHaveBeenSent)
            request.totalMilliseconds = limit - (clock.milliseconds - start)
        }
    }

    /// How long to wait before the next try, in milliseconds; nil when there is none.
    private func delay(after outcome: RetryOutcome, tries: Int, left: Int) -> Int? {
        guard outcome.isTransient else {
            if outcome.isAnswered { budget.refill() }
            return nil
        }
        guard tries < policy.maximumTries else { return nil }
        let asked = outcome.retryAfter(now: clock.date) * 1_000
        let jitter = random(0...policy.longestDelayMilliseconds(afterTries: tries))
        guard asked + jitter < left, budget.take() else { return nil }
        return asked + jitter
    }

    private func wait(
        _ milliseconds: Int,
        mayHaveBeenSent: Bool
    ) async throws(HTTPClientError) {
        do throws(CancellationError) {
            try await clock.sleep(milliseconds: milliseconds)
        } catch {
            throw HTTPClientError(.cancelled, mayHaveBeenSent: mayHaveBeenSent)
        }
    }
}
