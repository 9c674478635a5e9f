/// The caller's own booking of a slot that the caller requests again.
public struct OwnBooking: Sendable, Hashable {
    /// The appointment as the server lists it.
    public var appointment: Appointment
    /// The idempotency key under which it was booked; nil if the journal does not contain it.
    public var key: String?

    /// Creates a booking.
    public init(appointment: Appointment, key: String? = nil) {
        self.appointment = appointment
        self.key = key
    }
}
