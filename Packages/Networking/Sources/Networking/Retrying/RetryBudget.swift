import Synchronization

/// A bucket of tokens that retries take and successes refill, so that an outage is not met with a
/// multiple of the usual load.
final class RetryBudget: Sendable {
    // Counted in successes, so that no fraction is lost.
    private let price: Int
    private let capacity: Int
    private let credit: Mutex<Int>

    init(_ policy: RetryPolicy) {
        price = min(max(policy.successesPerRetry, 1), 1_000_000)
        capacity = min(max(policy.budget, 0), 1_000_000) * price
        credit = Mutex(capacity)
    }

    /// Takes what one retry costs; false when it is not there.
    func take() -> Bool {
        credit.withLock { credit in
            guard credit >= price else { return false }
            credit -= price
            return true
        }
    }

    /// Pays one success in.
    func refill() {
        credit.withLock { $0 = min($0 + 1, capacity) }
    }
}
