/// A booking, or a change to one, that the server confirmed.
public struct BookingConfirmation: Sendable, Hashable {
    /// The appointment as it was confirmed.
    public var appointment: Appointment
    /// The idempotency key under which it was requested.
    public var key: String
    /// Why the cached appointments lack it, if they do.
    public var cacheError: CacheError?

    /// Makes a confirmation.
    public init(appointment: Appointment, key: String, cacheError: CacheError? = nil) {
        self.appointment = appointment
        self.key = key
        self.cacheError = cacheError
    }
}
