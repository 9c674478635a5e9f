/// A booking of the caller that takes the slot that the caller requests again.
public struct OwnBooking: Sendable, Hashable {
    /// The appointment as the server shows it.
    public var appointment: Appointment
    /// The idempotency key under which it was booked, if the journal has it.
    public var key: String?

    /// Describes a booking.
    public init(appointment: Appointment, key: String? = nil) {
        self.appointment = appointment
        self.key = key
    }
}
