/// A booking that the remote confirmed.
public struct Booked: Sendable, Hashable {
    /// What was booked.
    public var appointment: Appointment
    /// The idempotency key under which it was booked.
    public var key: String
    /// Why the kept appointments do not have it, when they do not.
    public var cacheError: CacheError?

    /// Makes a confirmed booking.
    public init(appointment: Appointment, key: String, cacheError: CacheError? = nil) {
        self.appointment = appointment
        self.key = key
        self.cacheError = cacheError
    }
}
