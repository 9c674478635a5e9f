public import BookingStorage
public import Domain

extension PostgreSQLBookingStore {
    /// Whether a token was ever created.
    public func hasTokens() async throws(StoreError) -> Bool {
        try await read { _ in Query(StoredToken.any, otherwise: false) }
    }

    /// The token with the id, even if it is not valid; nil if it does not exist.
    public func token(_ id: String) async throws(StoreError) -> StoredToken? {
        try await read { _ in Query(StoredToken.byID, id) }
    }

    /// The first `limit` tokens after a token.
    public func tokens(
        after token: StoredToken?,
        limit: Int
    ) async throws(StoreError) -> [StoredToken] {
        try await read { _ in
            let time = token?.createdAt.secondsSince1970 ?? .min
            return Query(StoredToken.page, time, token?.id ?? "", limit)
        }
    }

    /// Adds a token.
    public func create(_ token: StoredToken) async throws(StoreError) {
        try await write(awaitEarlier: { _ in }) { try $0.create(token) }
    }

    /// Revokes a token, and returns whether it exists.
    public func revokeToken(_ id: String, at now: Timestamp) async throws(StoreError) -> Bool {
        try await write(awaitEarlier: { _ in }) { try $0.revokeToken(id, at: now) }
    }
}

extension WriteTransaction {
    fileprivate func create(_ token: StoredToken) throws {
        let (_, count, now) = try connection.run(
            begin,
            Query<Int>(StoredToken.insert, values: token.values),
            DatabaseClock.now(clock)
        )
        guard count == 1 else {
            throw StoreError.unavailable(StoredToken.notNew)
        }
        try recordCommand(AuditedChange(.create, tokenID: token.id), at: now)
        hasChanges = true
    }

    fileprivate func revokeToken(_ id: String, at now: Timestamp) throws -> Bool {
        let (_, before, count, current) = try connection.run(
            begin,
            Query<StoredToken?>(StoredToken.byID, id),
            Query<Int>(StoredToken.revoke, id, now),
            DatabaseClock.now(clock)
        )
        hasChanges = count == 1
        if before != nil, before?.revokedAt == nil {
            try recordCommand(AuditedChange(.revoke, tokenID: id), at: current)
        }
        return hasChanges
    }
}
