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

extension Principal.Role {
    /// Whether an appointment or a hold with these details is visible to the role. What is visible
    /// may also be made, changed, and ended.
    public func includes(_ booking: BookingRequest) -> Bool {
        switch self {
        case .customer(let phone): booking.caller == phone
        case .staff(let salon): booking.salonID == salon
        case .administrator: true
        }
    }

    /// Whether the change is visible to the role. Salons are public.
    public func includes(_ change: StoredChange) -> Bool { ChangeScope(self).includes(change) }
}

extension Principal.Role {
    /// Differs between roles that may see different appointments.
    public var identity: String {
        switch self {
        case .customer(let phone): Principal.identity(ofCustomer: phone)
        case .staff(let salon): "staff \(salon)"
        case .administrator: "administrator"
        }
    }
}

extension StoredChange {
    /// The roles to which the change is visible; nil for all, because salons are public.
    fileprivate var readers: [Principal.Role]? {
        switch element {
        case .salon, .deletedSalon: return nil
        case .appointment(let stored):
            let booking = stored.booking
            return [.customer(phone: booking.caller), .staff(of: booking.salonID), .administrator]
        case .deletedAppointment(let deleted):
            return [.customer(phone: deleted.caller), .staff(of: deleted.salonID), .administrator]
        }
    }
}

extension ChangeScope {
    /// Whether the change is in the scope.
    public func includes(_ change: StoredChange) -> Bool {
        guard let readers = change.readers else { return kinds.contains(.salons) }
        return kinds.contains(.appointments) && readers.contains(role)
    }
}

extension ChangePage {
    /// Who gets at least one of the changes of a page.
    public struct Readers: Sendable {
        fileprivate var haveSalons = false
        fileprivate var roles: Set<Principal.Role> = []

        /// Whether a client with this scope does.
        public func include(_ scope: ChangeScope) -> Bool {
            (haveSalons && scope.kinds.contains(.salons))
                || (scope.kinds.contains(.appointments) && roles.contains(scope.role))
        }

        /// The scopes among the keys of a dictionary for which ``include(_:)`` is true. Each is looked
        /// up, unless everyone gets the changes.
        public func scopes<Value>(
            among waiting: Dictionary<ChangeScope, Value>.Keys
        ) -> [ChangeScope] {
            if haveSalons || roles.count > waiting.count { return waiting.filter(include) }
            let kinds: [ChangeKinds] = [.appointments, .all]
            return roles.flatMap { role in kinds.map { ChangeScope(role, $0) } }
                .filter(waiting.contains)
        }
    }

    /// Who gets at least one of the changes.
    public var readers: Readers {
        var readers = Readers()
        for change in changes {
            if let roles = change.readers {
                readers.roles.formUnion(roles)
            } else {
                readers.haveSalons = true
            }
        }
        return readers
    }

    /// The page with the changes that are in the scope.
    public func limited(to scope: ChangeScope) -> ChangePage {
        if scope == ChangeScope(.administrator) { return self }
        let visible = changes.filter(scope.includes)
        return ChangePage(changes: visible, cursor: cursor, hasMore: hasMore)
    }
}

extension Principal {
    /// Who the principal is, whichever token it has. Empty for a program on the same machine.
    public var identity: String {
        role == .administrator && tokenID == nil ? "" : role.identity
    }

    /// The ``identity`` of a customer.
    package static func identity(ofCustomer caller: String) -> String { "customer \(caller)" }
}
