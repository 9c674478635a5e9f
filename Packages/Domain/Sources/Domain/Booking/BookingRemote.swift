/// The port to where bookings are made and changed.
public protocol BookingRemote: Sendable {
    /// Asks whether the slot that `request` names is free.
    func availability(for request: BookingRequest) async throws(RemoteError) -> SlotAvailability

    /// Sends `request` once under `key`, and gives what the remote echoed.
    func book(_ request: BookingRequest, key: String) async throws(BookingRemoteError)
        -> Appointment

    /// Sends `change` once under `key`, and gives what the remote echoed; nil where it said no more
    /// than that it was done.
    func change(_ change: AppointmentChange, key: String) async throws(BookingRemoteError)
        -> Appointment?

    /// The bookings that the remote holds now, straight from it.
    func appointments() async throws(RemoteError) -> [Appointment]
}
