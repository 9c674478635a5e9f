public import Domain

// The ids of appointments, holds, services, and staff members are texts. Those that are UUIDs are equal
// if their letters differ only in case (RFC 9562, section 4). So they are stored, compared, and returned
// in lower case.

extension String {
    /// The form in which an id is stored: a UUID in lower case, and any other text as it is.
    public var canonicalID: String { ElementKey(self).description }
}

extension BookingOptions {
    /// These options with ids as they are stored.
    public var withCanonicalIDs: BookingOptions {
        var options = self
        options.serviceID = serviceID?.canonicalID
        options.staffID = staffID?.canonicalID
        return options
    }
}

extension Salon {
    /// This salon with ids of services and staff members as they are stored.
    package var withCanonicalIDs: Salon {
        var salon = self
        for index in services.indices { salon.services[index].id = services[index].id.canonicalID }
        for index in staff.indices {
            salon.staff[index].id = staff[index].id.canonicalID
            salon.staff[index].services = staff[index].services?.map(\.canonicalID)
        }
        return salon
    }
}
