public import Domain

/// A token that clients send to state who they are. Only its owner has its secret.
public struct StoredToken: Sendable, Hashable {
    /// The public part, unique in the store.
    public let id: String
    /// What the owner of the token may see and change.
    public let role: Principal.Role
    /// What people call it.
    public let name: String?
    /// A hash of the whole token, from which the token cannot be found.
    public let hash: String
    /// When the token was created.
    public let createdAt: Timestamp
    /// The first instant at which the token is no longer valid; nil if it does not expire.
    public let expiresAt: Timestamp?
    /// When the token was revoked; nil if it was not.
    public var revokedAt: Timestamp?

    /// Creates a token.
    public init(
        id: String,
        role: Principal.Role,
        name: String? = nil,
        hash: String,
        createdAt: Timestamp,
        expiresAt: Timestamp? = nil,
        revokedAt: Timestamp? = nil
    ) {
        self.id = id
        self.role = role
        self.name = name
        self.hash = hash
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.revokedAt = revokedAt
    }

    /// Whether the token has neither expired nor been revoked.
    public func isValid(at now: Timestamp) -> Bool {
        revokedAt == nil && expiresAt.map { now < $0 } ?? true
    }

    /// The principal of a request with this token.
    public var principal: Principal { Principal(role, tokenID: id) }
}

extension StoredToken: StoredRow {
    package enum Column: Int32, RowColumn {
        case id, hash, role, phone, salonID, name, createdAt, expiresAt, revokedAt
    }

    package static let columns = Column.list

    private static let any = SQL("SELECT true FROM tokens LIMIT 1")
    /// Whether there is a token.
    package static var exists: Query<Bool> { Query(any, otherwise: false) }
    static let byID = SQL("SELECT \(columns) FROM tokens WHERE id = $1")
    static let page = SQL(
        """
        SELECT \(columns) FROM tokens WHERE (created_at, id) > ($1, $2)
        ORDER BY created_at, id LIMIT $3
        """
    )
    /// Whether the token `$1` was revoked.
    package static let isRevoked = SQL("SELECT revoked_at IS NOT NULL FROM tokens WHERE id = $1")
    /// Writes a row, unless a different token has the id. A token can be inserted again, because
    /// after a lost connection it is not known whether the first attempt succeeded.
    static let insert = SQL(
        """
        INSERT INTO tokens (\(columns)) VALUES (\(SQL.parameters(for: columns)))
        ON CONFLICT (id) DO UPDATE SET id = excluded.id WHERE tokens.hash = excluded.hash
        """
    )
    /// The failure if ``insert`` has written no row.
    static let notNew = StorageFailure(.other, "a different token has this id")
    static let revoke = SQL(
        "UPDATE tokens SET revoked_at = coalesce(revoked_at, $2) WHERE id = $1"
    )

    package var values: [any SQLParameter] { Column.allCases.map(value) }

    private func value(of column: Column) -> any SQLParameter {
        switch column {
        case .id: id
        case .hash: hash
        case .role: role.name
        case .phone: role.phone
        case .salonID: role.salonID
        case .name: name
        case .createdAt: createdAt
        case .expiresAt: expiresAt
        case .revokedAt: revokedAt
        }
    }

    package init(row: some ColumnReader) throws(StorageFailure) {
        let role = Principal.Role(
            name: row.text(Column.role),
            phone: row.optionalText(Column.phone),
            salonID: row.salonID(Column.salonID)
        )
        guard let role else { throw StorageFailure(.corrupted, "a stored token is invalid") }
        self.init(
            id: row.text(Column.id),
            role: role,
            name: row.optionalText(Column.name),
            hash: row.text(Column.hash),
            createdAt: row.timestamp(Column.createdAt),
            expiresAt: row.optionalTimestamp(Column.expiresAt),
            revokedAt: row.optionalTimestamp(Column.revokedAt)
        )
    }
}

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
