public import BookingStorage
public import Domain

extension SQLiteBookingStore {
    /// Whether a token was ever created in the database at `path`, which must be up to date.
    public static func hasTokens(_ path: String) throws(StorageFailure) -> Bool {
        try Database(path: path, access: .read).first(StoredToken.any) ?? false
    }

    /// Whether a token was ever created.
    public func hasTokens() async throws(StoreError) -> Bool {
        try readers.read { database throws(StorageFailure) in
            try database.first(StoredToken.any) ?? false
        }
    }

    /// The token with the id, even if it is not valid; nil if it does not exist.
    public func token(_ id: String) async throws(StoreError) -> StoredToken? {
        try readers.read { database throws(StorageFailure) in
            try database.first(StoredToken.byID, id)
        }
    }

    /// The first `limit` tokens after a token.
    public func tokens(
        after token: StoredToken?,
        limit: Int
    ) async throws(StoreError) -> [StoredToken] {
        try readers.read { database throws(StorageFailure) in
            let time = token?.createdAt.secondsSince1970 ?? .min
            return try database.rows(StoredToken.page, time, token?.id ?? "", limit)
        }
    }

    /// Adds a token.
    public func create(_ token: StoredToken) async throws(StoreError) {
        try await writer.perform { transaction in
            guard try transaction.database.run(StoredToken.insert, values: token.values) == 1
            else { throw StoredToken.notNew }
            try transaction.recordCommand(AuditedChange(.create, tokenID: token.id))
        }
    }

    /// Revokes a token, and returns whether it exists.
    public func revokeToken(_ id: String, at now: Timestamp) async throws(StoreError) -> Bool {
        try await writer.perform { transaction in
            let database = transaction.database
            guard let token: StoredToken = try database.first(StoredToken.byID, id) else {
                return false
            }
            if token.revokedAt != nil { return true }
            try transaction.recordCommand(AuditedChange(.revoke, tokenID: id))
            return try database.run(StoredToken.revoke, id, now) == 1
        }
    }
}
