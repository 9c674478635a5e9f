import BookingStorage
import Synchronization

/// The tokens of recent requests. One that was revoked in the database is valid as long as it is
/// here.
final class TokenCache: Sendable {
    private struct Entry {
        var token: StoredToken
        var readAt: Int
    }

    /// How long a token is used after it was read, in nanoseconds.
    static let lifetime = 5_000_000_000
    private static let capacity = 10_000

    private let store: any TokenStore
    private let entries = Mutex<[String: Entry]>([:])

    init(store: any TokenStore) { self.store = store }

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
            entries[id] = token.map { Entry(token: $0, readAt: now) }
        }
        return token
    }
}
