/// A booking, or a change to one, that the server confirmed.
public struct BookingConfirmation: Sendable, Hashable {
    /// The confirmed appointment.
    public var appointment: Appointment
    /// The idempotency key under which it was requested.
    public var key: String
    /// Why the appointment could not be cached; nil if it was cached.
    public var cacheError: CacheError?

    /// Creates a confirmation.
    public init(appointment: Appointment, key: String, cacheError: CacheError? = nil) {
        self.appointment = appointment
        self.key = key
        self.cacheError = cacheError
    }
}
