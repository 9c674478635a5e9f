/// The port to the cached appointments, for one that was just booked or changed.
public protocol AppointmentLedger: Sendable {
    /// The cached appointments, however old; empty if there are none or they cannot be read.
    func appointments() -> [Appointment]
    /// Adds `appointment`, or replaces it if it is already there.
    func add(_ appointment: Appointment) throws(CacheError)
}
