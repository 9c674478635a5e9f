/// A booking that the remote holds.
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
    /// The remote's name for it, where it gives one.
    public var id: String?
    /// Counts up with each change, where the remote keeps count.
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
