public import Domain

/// The tokens of a backend. They are never deleted, so that it is known whether there ever was one.
public protocol TokenStore: Sendable {
    /// The access to the database that has them.
    var database: StoreDatabase { get }
}

extension TokenStore {
    /// Whether a token was ever created.
    public func hasTokens() async throws(Problem) -> Bool {
        try await database.access.read { _ in StoredToken.exists }
    }

    /// The token with the id, even if it is not valid; nil if it does not exist.
    public func token(_ id: String) async throws(Problem) -> StoredToken? {
        try await database.access.read { _ in Query(StoredToken.byID, id) }
    }

    /// The first `limit` tokens after a token, in the order of their creation and then of their ids.
    public func tokens(
        after token: StoredToken?,
        limit: Int
    ) async throws(Problem) -> [StoredToken] {
        let time = token?.createdAt.secondsSince1970 ?? .min
        return try await database.access.read { _ in
            Query(StoredToken.page, time, token?.id ?? "", limit)
        }
    }

    /// Adds a token. Its id must be new.
    public func create(_ token: StoredToken) async throws(Problem) {
        try await database.access.write(isRepeatable: true) { try $0.create(token) }
    }

    /// Adds entries to the audit log for what was done without a token, in one transaction.
    package func record(
        _ events: [AuditedChange],
        by role: AuditEntry.Role
    ) async throws(Problem) {
        try await database.access.write(isRepeatable: false) { try $0.record(events, by: role) }
    }

    /// Revokes a token, and returns whether it exists. Does nothing if it was revoked before.
    public func revokeToken(_ id: String, at now: Timestamp) async throws(Problem) -> Bool {
        try await database.access.write(isRepeatable: true) { try $0.revokeToken(id, at: now) }
    }
}
