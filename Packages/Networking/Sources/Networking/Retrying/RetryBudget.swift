import Synchronization

/// A token bucket that retries draw from and successes refill, so that retries do not multiply the
/// load on a failing server.
final class RetryBudget: Sendable {
    // Counted in successes, because one success refills only a fraction of a retry.
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
