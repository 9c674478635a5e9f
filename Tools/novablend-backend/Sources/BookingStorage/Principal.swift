public import Domain

/// Who makes a request, and what they may see and change.
public struct Principal: Sendable, Hashable {
    /// What a principal may see and change. Salons are public.
    public enum Role: Sendable, Hashable {
        /// The appointments and holds with a phone number, as in ``BookingRequest/caller``.
        case customer(phone: String)
        /// The appointments and holds of a salon, and the salon itself.
        case staff(of: SalonID)
        /// Everything.
        case administrator
    }

    /// What the principal may see and change.
    public let role: Role
    /// The id of the token; nil for a program on the same machine while there are no tokens.
    public let tokenID: String?

    /// Creates a principal.
    public init(_ role: Role, tokenID: String?) {
        self.role = role
        self.tokenID = tokenID
    }

    /// A program on the same machine, which may do everything while there are no tokens.
    public static let local = Principal(.administrator, tokenID: nil)
}
