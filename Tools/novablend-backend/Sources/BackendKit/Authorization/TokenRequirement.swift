import BookingStorage
import Synchronization

/// Whether requests need a token. They do as soon as the database has its first token, even if a
/// different process created it.
final class TokenRequirement: Sendable {
    /// How often the database is asked while it has no tokens, in nanoseconds.
    static let interval = 5_000_000_000

    private let store: any TokenStore
    private let isFulfilled: Atomic<Bool>
    private let lastCheck: Atomic<Int>

    /// - Parameter hasTokens: Whether the database has tokens now.
    init(store: any TokenStore, hasTokens: Bool, now: Int) {
        self.store = store
        isFulfilled = Atomic(hasTokens)
        lastCheck = Atomic(now)
    }

    /// Whether the database is known to have tokens.
    var isKnown: Bool { isFulfilled.load(ordering: .relaxed) }

    /// Whether the last answer of the database is too old.
    func isCheckDue(now: Int) -> Bool {
        now - lastCheck.load(ordering: .relaxed) >= Self.interval
    }

    /// Whether the database has tokens. Asks it if the last answer is too old.
    func check(now: Int) async throws(StoreError) -> Bool {
        if isKnown { return true }
        guard isCheckDue(now: now) else { return false }
        let hasTokens = try await store.hasTokens()
        if hasTokens {
            isFulfilled.store(true, ordering: .relaxed)
        } else {
            lastCheck.store(now, ordering: .relaxed)
        }
        return hasTokens
    }
}
