/// A booking on the server.
public struct Appointment: Sendable, Hashable {
    /// Whether it takes place.
    public enum Status: String, Sendable, CaseIterable {
        /// It does.
        case booked
        /// It was called off; the slot is free again.
        case cancelled
    }

    /// What was booked.
    public var booking: BookingRequest
    /// The server's identifier, if it assigns one.
    public var id: String?
    /// Increases with each change, if the server counts changes.
    public var version: Int?
    /// Whether it takes place.
    public var status: Status

    /// Makes an appointment.
    public init(
        booking: BookingRequest,
        id: String? = nil,
        version: Int? = nil,
        status: Status = .booked
    ) {
        self.booking = booking
        self.id = id
        self.version = version
        self.status = status
    }

    /// Whether both are one appointment: by id if both have one, otherwise by salon, instant, and
    /// phone.
    public func isSame(as other: Appointment) -> Bool {
        if let id, let otherID = other.id { return id == otherID }
        return booking.isSameBooking(as: other.booking)
    }
}
