/// A booking, or a change to one, that the remote confirmed.
public struct Booked: Sendable, Hashable {
    /// The appointment as it was confirmed.
    public var appointment: Appointment
    /// The idempotency key under which it was asked for.
    public var key: String
    /// Why the kept appointments do not have it, when they do not.
    public var cacheError: CacheError?

    /// Makes a confirmation.
    public init(appointment: Appointment, key: String, cacheError: CacheError? = nil) {
        self.appointment = appointment
        self.key = key
        self.cacheError = cacheError
    }
}
