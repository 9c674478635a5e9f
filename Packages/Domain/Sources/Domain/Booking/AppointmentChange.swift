/// A change to an existing appointment, as it is sent to the server.
public struct AppointmentChange: Sendable, Hashable {
    /// The kinds of changes.
    public enum Kind: Sendable, Hashable {
        /// Move it to a different time, perhaps with a different service, staff member, or number of
        /// seats.
        case reschedule(to: AppointmentTime, changing: OptionsChange = OptionsChange())
        /// Cancel it.
        case cancel
    }

    /// The server's identifier of the appointment.
    public var id: String
    /// The version that must still be current when the server makes the change.
    public var version: Int
    /// The change.
    public var kind: Kind
    /// The appointment at the time of the request.
    public var before: Appointment

    /// Creates a change.
    public init(id: String, version: Int, kind: Kind, before: Appointment) {
        self.id = id
        self.version = version
        self.kind = kind
        self.before = before
    }

    /// The appointment after the change. It has no version, because the server assigns it.
    public var outcome: Appointment {
        var after = before
        after.version = nil
        switch kind {
        case .reschedule(let time, let options):
            after.booking.time = time
            after.booking.options = options.applied(to: before.booking.options)
            after.isStaffAssigned = before.isStaffAssigned && options.staff == nil
            // The server decides how long it takes now.
            after.endTime = nil
            if after.booking.options.serviceID != before.booking.options.serviceID {
                after.bookedService = nil
            }
        case .cancel: after.status = .cancelled
        }
        return after
    }

    /// The booking that the change asks for. It leaves the staff member open if the server chose the
    /// present one, because the server may then choose a different one.
    public var requested: BookingRequest {
        let after = outcome
        var booking = after.booking
        if after.isStaffAssigned { booking.options.staffID = nil }
        return booking
    }
}

/// A request to change an appointment.
public struct ChangeRequest: Sendable, Hashable {
    /// The kinds of changes.
    public enum Kind: Sendable, Hashable {
        /// Move it to a different time, perhaps with a different service, staff member, or number of
        /// seats.
        case reschedule(to: RequestedTime, changing: OptionsChange = OptionsChange())
        /// Cancel it.
        case cancel
    }

    /// The server's identifier of the appointment.
    public var id: String
    /// The version that the caller expects; nil for the current version.
    public var version: Int?
    /// The change.
    public var kind: Kind

    /// Creates a request.
    public init(id: String, version: Int? = nil, kind: Kind) {
        self.id = id
        self.version = version
        self.kind = kind
    }
}

/// What a reschedule changes besides the time. An option that is nil stays as it is.
public struct OptionsChange: Sendable, Hashable {
    /// A customer's choice of a staff member.
    public enum Staff: Sendable, Hashable {
        /// The staff member with this id.
        case member(String)
        /// Anyone who is free.
        case anyone
    }

    /// The id of the new service.
    public var serviceID: String?
    /// The new choice of a staff member.
    public var staff: Staff?
    /// The new number of seats.
    public var seats: Int?

    /// Creates a change; by default, one that changes nothing.
    public init(serviceID: String? = nil, staff: Staff? = nil, seats: Int? = nil) {
        self.serviceID = serviceID
        self.staff = staff
        self.seats = seats
    }

    /// The options after the change.
    public func applied(to options: BookingOptions) -> BookingOptions {
        var changed = options
        changed.serviceID = serviceID ?? options.serviceID
        switch staff {
        case .member(let id): changed.staffID = id
        case .anyone: changed.staffID = nil
        case nil: break
        }
        changed.seats = seats ?? options.seats
        return changed
    }
}
