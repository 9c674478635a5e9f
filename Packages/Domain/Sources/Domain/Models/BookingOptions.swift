/// What a customer can choose for an appointment besides the time.
public struct BookingOptions: Sendable, Hashable {
    /// The id of the service; nil for an appointment of the salon's usual length.
    public var serviceID: String?
    /// The id of the staff member; nil for anyone who is free.
    public var staffID: String?
    /// The number of seats, at least 1.
    public var seats: Int

    /// Creates options.
    public init(serviceID: String? = nil, staffID: String? = nil, seats: Int = 1) {
        self.serviceID = serviceID
        self.staffID = staffID
        self.seats = seats
    }

    /// Whether both name a staff member, and not the same one.
    func nameDifferentStaff(_ other: BookingOptions) -> Bool {
        if let staffID, let otherID = other.staffID { staffID != otherID } else { false }
    }
}
