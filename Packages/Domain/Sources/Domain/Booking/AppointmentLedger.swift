/// The port to the kept appointments, for one that was just booked.
public protocol AppointmentLedger: Sendable {
    /// Adds `appointment`, in place of the one that is the same, and leaves all others.
    func add(_ appointment: Appointment) throws(CacheError)
}
