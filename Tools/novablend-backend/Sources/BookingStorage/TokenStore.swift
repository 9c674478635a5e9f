public import Domain

/// The tokens of a backend. They are never deleted, so that a store that has had a token is known.
public protocol TokenStore: Sendable {
    /// Whether a token was ever created.
    func hasTokens() async throws(StoreError) -> Bool

    /// The token with the id, even if it is not valid; nil if it does not exist.
    func token(_ id: String) async throws(StoreError) -> StoredToken?

    /// The first `limit` tokens after a token, in the order of their creation and then of their ids.
    func tokens(
        after token: StoredToken?,
        limit: Int
    ) async throws(StoreError) -> [StoredToken]

    /// Adds a token. Its id must be new.
    func create(_ token: StoredToken) async throws(StoreError)

    /// Revokes a token, and returns whether it exists. Does nothing if it was revoked before.
    func revokeToken(_ id: String, at now: Timestamp) async throws(StoreError) -> Bool
}
