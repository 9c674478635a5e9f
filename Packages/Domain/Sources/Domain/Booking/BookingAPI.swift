/// The port to the server on which bookings are made and changed.
public protocol BookingAPI: Sendable {
    /// On whose behalf requests are sent now.
    var caller: Caller { get }

    /// Asks whether the slot that `request` names is free.
    func availability(for request: BookingRequest) async throws(ServerError) -> SlotAvailability

    /// Sends `request` exactly once under `key`; returns what a 200 or 201 reported.
    func book(_ request: BookingRequest, key: String) async throws(BookingServerError)
        -> ReportedAppointment

    /// Sends `change` exactly once under `key`; returns what a 200 or 201 reported.
    func change(_ change: AppointmentChange, key: String) async throws(BookingServerError)
        -> ReportedAppointment

    /// Asks the server itself, and no cache on the way, for the appointments that it holds now.
    func lookUp() async throws(ServerError) -> ReportedAppointments

    /// Asks the server never to accept `key` from now on.
    func void(_ key: String) async throws(ServerError) -> KeyVoiding
}

/// A server's answer to the request to void an idempotency key.
public enum KeyVoiding: Sendable, Hashable {
    /// Nothing was done under the key, and nothing ever will be.
    case voided
    /// Something was done under the key; the appointment, where the server reports it.
    case used(ReportedAppointment?)
    /// The server cannot void keys.
    case notOffered
}
