import BookingStorage
import Synchronization

/// The tokens of recent requests, and whether requests need a token. They need one as soon as the
/// database has its first token. Other processes create and revoke tokens, too.
final class TokenCache: Sendable {
    /// How long a result from the database is reused, in nanoseconds. So a revoked token may remain
    /// valid for this long, and requests without a token may be accepted for this long after the
    /// first one was created.
    static let lifetime = 5_000_000_000
    private static let capacity = 10_000

    private let store: any TokenStore
    private let entries = Mutex<[String: (token: StoredToken, readAt: Int)]>([:])
    private let hasTokens: Atomic<Bool>
    private let lastCheck: Atomic<Int>

    /// - Parameter hasTokens: Whether the database has tokens now.
    init(store: any TokenStore, hasTokens: Bool, now: Int) {
        self.store = store
        self.hasTokens = Atomic(hasTokens)
        lastCheck = Atomic(now)
    }

    /// The token with the id, if it was read recently.
    func recent(_ id: String, now: Int) -> StoredToken? {
        entries.withLock { entries in
            entries[id].flatMap { now - $0.readAt < Self.lifetime ? $0.token : nil }
        }
    }

    /// Reads the token with the id; nil if it does not exist.
    func read(_ id: String, now: Int) async throws(StoreError) -> StoredToken? {
        let token = try await store.token(id)
        entries.withLock { entries in
            if entries[id] == nil, entries.count >= Self.capacity { entries = [:] }
            entries[id] = token.map { ($0, now) }
        }
        return token
    }

    /// Whether the database is known to have tokens.
    var areRequired: Bool { hasTokens.load(ordering: .relaxed) }

    /// Whether the database must be asked again whether it has tokens, because the last result is
    /// too old.
    func isCheckDue(now: Int) -> Bool {
        now - lastCheck.load(ordering: .relaxed) >= Self.lifetime
    }

    /// Whether the database has tokens. Asks the database if the last result is too old.
    func checkRequired(now: Int) async throws(StoreError) -> Bool {
        if areRequired { return true }
        guard isCheckDue(now: now) else { return false }
        if try await store.hasTokens() {
            hasTokens.store(true, ordering: .relaxed)
        } else {
            lastCheck.store(now, ordering: .relaxed)
        }
        return areRequired
    }
}
