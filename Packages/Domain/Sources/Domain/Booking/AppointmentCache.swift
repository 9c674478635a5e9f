/// The port through which a booking or a change reads and updates the cached appointments.
public protocol AppointmentCache: Sendable {
    /// The cached appointments, expired or not; empty if nothing is cached or it cannot be read.
    func appointments() -> [Appointment]
    /// Adds `appointment`, or replaces its cached version.
    func add(_ appointment: Appointment) throws(CacheError)
}
