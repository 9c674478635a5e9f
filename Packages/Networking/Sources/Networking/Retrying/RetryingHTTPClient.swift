import Glibc
import Synchronization
public import WebPrimitives

/// A client that retries requests that may be sent twice: those with an idempotent method or an
/// `Idempotency-Key`.
///
/// The client retries after a failed or lost connection and after 408, 429, 502, 503, and 504, with
/// exponential backoff and full jitter, and never sooner than `Retry-After` asks. It stops if the
/// maximum number of attempts is reached, if the delay would exceed the request's timeout, or if
/// the budget is used up. The result is that of the last attempt. All requests share the budget, as
/// do copies of the client.
public struct RetryingHTTPClient: HTTPClient {
    private let client: any HTTPClient
    private let policy: RetryPolicy
    private let clock: any RetryClock
    private let jitter: @Sendable (Duration) -> Duration
    private let budget: RetryBudget

    /// Creates a client that wraps another one.
    ///
    /// - Parameters:
    ///   - client: The client that sends each attempt.
    ///   - policy: How often requests are retried.
    ///   - clock: Measures the delays, and waits for them.
    ///   - jitter: Picks a delay between zero and its argument.
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

    /// See ``HTTPClient/send(_:)``. The `mayHaveBeenSent` and `hadContact` of an error cover all
    /// attempts: they are false only if certainly none was sent, and none reached anything.
    public func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse {
        let mayRepeat = request.method.isIdempotent || request.headers["Idempotency-Key"] != nil
        let deadline = request.deadline(from: clock.now)
        var (attempt, attempts) = (request, 1)
        var (mayHaveBeenSent, hadContact) = (false, false)
        while true {
            attempt.totalTimeout = clock.now.duration(to: deadline)
            var result: Result<HTTPResponse, HTTPClientError>
            do {
                result = .success(try await client.send(attempt))
                (mayHaveBeenSent, hadContact) = (true, true)
            } catch {
                mayHaveBeenSent = mayHaveBeenSent || error.mayHaveBeenSent
                var error = error
                (error.mayHaveBeenSent, error.hadContact) = (
                    mayHaveBeenSent, hadContact || error.hadContact
                )
                hadContact = hadContact || !error.isMissingConnectivity
                result = .failure(error)
            }
            if mayRepeat, let delay = delay(after: result, attempts, until: deadline) {
                do {
                    try await clock.sleep(for: delay)
                    attempts += 1
                    continue
                } catch is CancellationError {
                    result = .failure(HTTPClientError(.cancelled, mayHaveBeenSent: mayHaveBeenSent))
                } catch {}
            }
            return try result.get()
        }
    }

    /// The delay before the next attempt; nil if there is no next attempt.
    private func delay(
        after result: Result<HTTPResponse, HTTPClientError>,
        _ attempts: Int,
        until deadline: ContinuousClock.Instant
    ) -> Duration? {
        var retryAfter = Duration.zero
        switch result {
        case .success(let response):
            guard response.isTransient else {
                budget.refill()
                return nil
            }
            retryAfter = response.retryAfter(now: clock.date) ?? .zero
        case .failure(let error):
            switch error.reason {
            case .couldNotResolve, .couldNotConnect, .timedOut(.connect), .connectionLost,
                .linkLost,
                .proxyFailed(nil):
                break
            case .proxyFailed(let status?) where HTTPResponse.isTransient(status): break
            default: return nil
            }
        }
        guard attempts < policy.maximumAttempts else { return nil }
        let delay = retryAfter + jitter(policy.longestDelay(afterAttempts: attempts))
        guard delay < clock.now.duration(to: deadline), budget.take() else { return nil }
        return delay
    }

}

extension HTTPResponse {
    /// Whether the status means that the server is temporarily unavailable.
    var isTransient: Bool { Self.isTransient(status) }

    /// Whether a status means that the server, or a proxy, is temporarily unavailable.
    static func isTransient(_ status: Int) -> Bool { [408, 429, 502, 503, 504].contains(status) }
}

/// A token bucket that retries draw from and successes refill, so that retries do not multiply the
/// load on a failing server.
final class RetryBudget: Sendable {
    // The price of a retry, counted in successes, because one success refills only a fraction of a
    // retry.
    private let price: Int
    private let capacity: Int
    private let credit: Mutex<Int>

    init(_ policy: RetryPolicy) {
        price = min(max(policy.successesPerRetry, 1), 1_000_000)
        capacity = min(max(policy.budget, 0), 1_000_000) * price
        credit = Mutex(capacity)
    }

    /// Pays for one retry; false if the credit is too low.
    func take() -> Bool {
        credit.withLock { credit in
            guard credit >= price else { return false }
            credit -= price
            return true
        }
    }

    /// Adds one success.
    func refill() {
        credit.withLock { $0 = min($0 + 1, capacity) }
    }
}

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
