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
