import BookingStorage
import Domain

/// Who makes a request, and how long that is known.
struct Authentication: Sendable {
    let principal: Principal
    /// When the token expires; nil if it does not, or without a token.
    let expiresAt: Timestamp?

    init(_ principal: Principal) {
        self.principal = principal
        expiresAt = nil
    }

    init(_ token: StoredToken) {
        principal = token.principal
        expiresAt = token.expiresAt
    }

    /// A program on this machine, while there are no tokens.
    static let local = Authentication(Principal.local)
    /// Anyone, for what is public.
    static let anonymous = Authentication(Principal.anonymous)
}
