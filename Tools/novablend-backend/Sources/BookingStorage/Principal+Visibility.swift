public import Domain

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
    public func includes(_ change: StoredChange) -> Bool {
        change.readers?.contains(self) ?? true
    }
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
    /// The roles to which the change is visible; nil for all.
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

extension ChangePage {
    /// The roles that may see at least one of the changes; nil for all.
    public var readers: Set<Principal.Role>? {
        var readers: Set<Principal.Role> = []
        for change in changes {
            guard let some = change.readers else { return nil }
            readers.formUnion(some)
        }
        return readers
    }

    /// The page with the changes that are visible to the role.
    public func visible(to role: Principal.Role) -> ChangePage {
        if role == .administrator { return self }
        return ChangePage(changes: changes.filter(role.includes), cursor: cursor)
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
