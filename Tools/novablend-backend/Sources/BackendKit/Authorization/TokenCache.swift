import BookingStorage
import Synchronization

/// What is known about tokens, and whether requests need one. They need one as soon as the database
/// has its first token. Other processes create and revoke tokens, too.
///
/// Its memory is bounded, whatever clients send.
final class TokenCache: Sendable {
    /// How long a result from the database is reused, in nanoseconds. So a revoked token may remain
    /// valid for this long, and requests without a token may be accepted for this long after the
    /// first one was created.
    static let lifetime = 5_000_000_000
    /// How long a token is known after it was last found valid: half a day, in nanoseconds.
    static let knownLifetime = 12 * 3_600 * 1_000_000_000
    private static let capacity = 65_536

    private struct Contents {
        /// The tokens with these ids when they were last read.
        var tokens = RecentValues<String, (token: StoredToken, readAt: Int)>(capacity)
        /// When it was last read that there are no tokens with these ids. In a table of their own,
        /// ids that clients invent displace no token.
        var missing = RecentValues<String, Int>(capacity)
        /// When tokens were last found valid. Nothing here says whose they are.
        var known = RecentValues<AccessToken.Fingerprint, Int>(capacity)
    }

    private let store: any TokenStore
    private let contents = Mutex(Contents())
    private let hasTokens: Atomic<Bool>
    private let lastCheck: Atomic<Int>

    /// - Parameter hasTokens: Whether the database has tokens now.
    init(store: any TokenStore, hasTokens: Bool, now: Int) {
        self.store = store
        self.hasTokens = Atomic(hasTokens)
        lastCheck = Atomic(now)
    }

    /// Whether exactly this token, including its secret, was valid within the last hours. It may have
    /// been revoked since. This decides only which limits apply to a request.
    func isKnown(_ sent: AccessToken, now: Int) -> Bool {
        contents.withLock { contents in
            contents.known[sent.fingerprint].map { now - $0 < Self.knownLifetime } ?? false
        }
    }

    /// Stores whether a token was found valid.
    func setKnown(_ isValid: Bool, _ sent: AccessToken, now: Int) {
        contents.withLock { $0.known[sent.fingerprint] = isValid ? now : nil }
    }

    /// The token with the id, if it was read recently. The inner value is nil if there was none.
    func recent(_ id: String, now: Int) -> StoredToken?? {
        contents.withLock { contents in
            if let (token, readAt) = contents.tokens[id], now - readAt < Self.lifetime {
                return .some(token)
            }
            if let readAt = contents.missing[id], now - readAt < Self.lifetime {
                return .some(nil)
            }
            return nil
        }
    }

    /// Reads the token with the id; nil if it does not exist.
    func read(_ id: String, now: Int) async throws(Problem) -> StoredToken? {
        let token = try await store.token(id)
        contents.withLock { contents in
            contents.tokens[id] = token.map { ($0, now) }
            contents.missing[id] = token == nil ? now : nil
        }
        return token
    }

    /// Forgets what was read. Which tokens were valid remains known, because it decides only about
    /// limits.
    func clear() {
        contents.withLock { contents in
            contents.tokens = RecentValues(Self.capacity)
            contents.missing = RecentValues(Self.capacity)
        }
        lastCheck.store(.min / 2, ordering: .relaxed)
    }

    /// Whether the database is known to have tokens.
    var areRequired: Bool { hasTokens.load(ordering: .relaxed) }

    /// Whether the database must be asked again whether it has tokens, because the last result is
    /// too old.
    func isCheckDue(now: Int) -> Bool {
        now - lastCheck.load(ordering: .relaxed) >= Self.lifetime
    }

    /// Whether the database has tokens. Asks the database if the last result is too old.
    func checkRequired(now: Int) async throws(Problem) -> Bool {
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

/// The values of the keys that were used last, in two generations: when the young one is full, it
/// becomes the old one, and the values that were not used since the last time are forgotten. So no
/// call takes long, and no more values than the capacity are stored.
struct RecentValues<Key: Hashable, Value> {
    private let generationCapacity: Int
    private var young: [Key: Value] = [:]
    private var old: [Key: Value] = [:]

    init(_ capacity: Int) { generationCapacity = max(capacity / 2, 1) }

    /// The number of values.
    var count: Int { young.count + old.count }

    /// The value of a key. Reading it counts as a use.
    subscript(key: Key) -> Value? {
        mutating get {
            if let value = young[key] { return value }
            guard let value = old.removeValue(forKey: key) else { return nil }
            store(value, key)
            return value
        }
        set {
            old[key] = nil
            if let newValue { store(newValue, key) } else { young[key] = nil }
        }
    }

    private mutating func store(_ value: Value, _ key: Key) {
        if young[key] == nil, young.count >= generationCapacity { (old, young) = (young, [:]) }
        young[key] = value
    }
}
