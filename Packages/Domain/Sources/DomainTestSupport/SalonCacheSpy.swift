public import Domain
import Synchronization

/// A cache of salons that records changes and can fail.
public final class SalonCacheSpy: SalonCache {
    /// A change to the cached list.
    public enum Change: Sendable, Hashable {
        /// A salon was stored.
        case store(Salon)
        /// A salon was removed.
        case remove(SalonID)
    }

    private let state = Mutex<(changes: [Change], failure: CacheError?)>(([], nil))

    /// Creates a cache.
    public init() {}

    /// Makes every change fail from now on.
    public func fail() {
        state.withLock { $0.failure = CacheError(.insertion, reason: "set by the test") }
    }

    /// The changes, in order.
    public var changes: [Change] { state.withLock { $0.changes } }

    /// Records the salon.
    public func store(_ salon: Salon) throws(CacheError) { try record(.store(salon)) }

    /// Records the removal.
    public func remove(_ id: SalonID) throws(CacheError) { try record(.remove(id)) }

    private func record(_ change: Change) throws(CacheError) {
        let failure = state.withLock { state in
            if state.failure == nil { state.changes.append(change) }
            return state.failure
        }
        if let failure { throw failure }
    }
}
