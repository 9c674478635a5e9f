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
