import Synchronization

/// The time that a call may spend without progress. All its requests, their retries, and its pauses
/// share it.
///
/// A request that fails, or whose response cannot be used, consumes the time that it took. Data that
/// arrives consumes nothing, nor does waiting for a person, or for a command that prints a token.
/// A booking reserves a part for the lookup of its outcome.
public final class CallBudget: Sendable {
    /// The budget of the call that the task handles; nil in the background, where nothing limits the
    /// sum of all requests.
    @TaskLocal public static var current: CallBudget?

    /// The share of what is left that each request of the task may take, even if data arrives: below 1
    /// for what the call can do without.
    @TaskLocal public static var share = 1.0

    private struct State {
        var consumed = Duration.zero
        var isReserving = false
        /// The end of the last interval that was consumed.
        var end: ContinuousClock.Instant?
    }

    private let limit: Duration
    private let state = Mutex(State())

    /// Creates a budget of `limit`.
    public init(_ limit: Duration) { self.limit = limit }

    /// The part that a booking reserves for its lookup: ten seconds, but at most half of the budget.
    private var reserve: Duration { min(.seconds(10), limit / 2) }

    /// What is left; zero or less if nothing is. While a part is reserved, it does not count.
    public var remaining: Duration {
        state.withLock { limit - $0.consumed - ($0.isReserving ? reserve : .zero) }
    }

    /// Consumes a pause.
    public func consume(_ pause: Duration) { state.withLock { $0.consumed += pause } }

    /// Consumes the time of a request. Concurrent requests count once.
    public func consume(from start: ContinuousClock.Instant, to end: ContinuousClock.Instant) {
        state.withLock { state in
            let start = max(start, state.end ?? start)
            guard end > start else { return }
            state.consumed += start.duration(to: end)
            state.end = end
        }
    }

    /// Reserves a part for the lookup of a booking or a change, from the beginning of its call until it
    /// has been sent.
    public func reserveLookup() { state.withLock { $0.isReserving = true } }

    /// Makes the reserved part available.
    func release() { state.withLock { $0.isReserving = false } }

    /// The longest pause up to `pause` that leaves time for a request afterward; nil if there is none.
    func longestPause(upTo pause: Duration) -> Duration? {
        let longest = remaining - limit / 10
        return longest > .zero ? min(pause, longest) : nil
    }
}

extension CallBudget {
    /// Runs `body` with `budget`, unless the task already has one. See ``share``.
    public static func run<Value: Sendable, Failure: Error>(
        within budget: @autoclosure () -> CallBudget,
        share: Double = 1,
        _ body: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        if current != nil { return try await body() }
        // `withValue` does not pass on the type of the error.
        let result = await $current.withValue(budget()) {
            await $share.withValue(share) { () async -> Swift.Result<Value, Failure> in
                do throws(Failure) { return .success(try await body()) } catch {
                    return .failure(error)
                }
            }
        }
        return try result.get()
    }
}
