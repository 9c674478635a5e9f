/// A booking that the remote holds.
public struct Appointment: Sendable, Hashable {
    /// What was booked.
    public var booking: BookingRequest
    /// The remote's name for it, where it gives one.
    public var id: String?
    /// Counts up with each change, where the remote keeps count.
    public var version: Int?

    /// Makes an appointment.
    public init(booking: BookingRequest, id: String? = nil, version: Int? = nil) {
        self.booking = booking
        self.id = id
        self.version = version
    }

    /// Whether both are one appointment: by id where both have one, else by salon and instant.
    public func isSame(as other: Appointment) -> Bool {
        if let id, let otherID = other.id { return id == otherID }
        return booking.salonID == other.booking.salonID
            && booking.time.instant == other.booking.time.instant
    }
}
