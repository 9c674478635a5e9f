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
    /// The id of the token; nil for ``local`` and ``anonymous``.
    public let tokenID: String?

    /// Creates a principal.
    public init(_ role: Role, tokenID: String?) {
        self.role = role
        self.tokenID = tokenID
    }

    /// Someone who has not said who they are. No appointment has this phone number, because those of
    /// callers have only digits.
    public static let anonymous = Principal(.customer(phone: "anonymous"), tokenID: nil)

    /// A program on the same machine, which may do everything while there are no tokens.
    public static let local = Principal(.administrator, tokenID: nil)
}

extension Principal.Role {
    /// The name: `customer`, `staff`, or `administrator`.
    public var name: String {
        switch self {
        case .customer: "customer"
        case .staff: "staff"
        case .administrator: "administrator"
        }
    }

    /// The phone number of a customer.
    public var phone: String? { if case .customer(let phone) = self { phone } else { nil } }

    /// The salon of a staff member.
    public var salonID: SalonID? { if case .staff(let id) = self { id } else { nil } }

    /// Creates a role from its name and what it needs; nil for any other combination.
    package init?(name: String, phone: String?, salonID: SalonID?) {
        switch (name, phone, salonID) {
        case ("customer", let phone?, nil): self = .customer(phone: phone)
        case ("staff", nil, let id?): self = .staff(of: id)
        case ("administrator", nil, nil): self = .administrator
        default: return nil
        }
    }
}
