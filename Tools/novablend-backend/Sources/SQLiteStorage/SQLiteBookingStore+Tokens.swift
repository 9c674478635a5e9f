public import BookingStorage
public import Domain

extension SQLiteBookingStore {
    /// Whether a token was ever created in the database at `path`, which must be up to date.
    public static func hasTokens(_ path: String) throws(StorageFailure) -> Bool {
        try TokenRows.exist(in: Database(path: path, access: .read))
    }

    /// Whether a token was ever created.
    public func hasTokens() async throws(StoreError) -> Bool {
        try readers.read { database throws(StorageFailure) in try TokenRows.exist(in: database) }
    }

    /// The token with the id, even if it is not valid; nil if it does not exist.
    public func token(_ id: String) async throws(StoreError) -> StoredToken? {
        try readers.read { database throws(StorageFailure) in
            try TokenRows.read(id, in: database)
        }
    }

    /// The first `limit` tokens after a token.
    public func tokens(
        after token: StoredToken?,
        limit: Int
    ) async throws(StoreError) -> [StoredToken] {
        try readers.read { database throws(StorageFailure) in
            try TokenRows.page(after: token, limit: limit, in: database)
        }
    }

    /// Adds a token.
    public func create(_ token: StoredToken) async throws(StoreError) {
        try await writer.perform { transaction in
            try TokenRows.insert(token, in: transaction.database)
            try transaction.recordCommand(AuditedChange(.create, tokenID: token.id))
        }
    }

    /// Revokes a token, and returns whether it exists.
    public func revokeToken(_ id: String, at now: Timestamp) async throws(StoreError) -> Bool {
        try await writer.perform { transaction in
            guard let token = try TokenRows.read(id, in: transaction.database) else { return false }
            if token.revokedAt != nil { return true }
            try transaction.recordCommand(AuditedChange(.revoke, tokenID: id))
            return try TokenRows.revoke(id, at: now, in: transaction.database)
        }
    }
}
