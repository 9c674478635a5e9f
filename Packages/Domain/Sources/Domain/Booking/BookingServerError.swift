/// Why one attempt to make or change a booking ended without a confirmation.
public enum BookingServerError: Error, Sendable, Hashable {
    /// No byte of the request left this machine, or the server rejected it without processing it
    /// (429).
    case notSent(reason: String, retryAfterSeconds: Int? = nil)
    /// The request was sent, and no response states its outcome.
    case noResponse(
        reason: String,
        resending: Resending = .ifKeysAreHonored,
        retryAfterSeconds: Int? = nil
    )
    /// The given rejection, but the server need not have made it: something between here and the
    /// server, such as a filter for responses, may have sent it after the request was carried out.
    indirect case unproven(BookingServerError)
    /// The server sent a 2xx response that does not confirm the request.
    case accepted(reason: String, id: String? = nil)
    /// The server sent a redirect that leaves open whether the request was done (300 to 303).
    case unclear(reason: String)
    /// The server did nothing and named a different URL (307, 308).
    case redirected(to: String)
    /// The server sent 409 and states that it is still processing an earlier request under the key.
    case stillProcessing(
        reason: String,
        resending: Resending = .ifKeysAreHonored,
        retryAfterSeconds: Int? = nil
    )
    /// The server sent 409 without a cause that this program knows. `reason` is what it says, if
    /// anything.
    case conflict(reason: String?)
    /// The slot is taken. `reason` is what the server says about it, if anything.
    case slotUnavailable(alternatives: [AppointmentTime], reason: String? = nil)
    /// The server has no such salon.
    case salonNotFound
    /// The salon is closed at that time.
    case outsideOpeningHours(reason: String, alternatives: [AppointmentTime] = [])
    /// One of the salon's rules forbids the time.
    case notBookable(rule: String, reason: String, alternatives: [AppointmentTime])
    /// The customer has as many appointments as it may have: `limit`, if the server states it.
    case tooManyAppointments(reason: String, limit: Int?)
    /// The server has already received the key with different content.
    case idempotencyConflict
    /// The key was voided (410).
    case keyVoided
    /// The appointment does not exist or was cancelled.
    case appointmentNotFound(reason: String)
    /// The appointment has a different version. `current` is its present state, if the server
    /// reports it.
    case versionConflict(current: Appointment?)
    /// The server cannot change appointments.
    case unsupported(reason: String)
    /// The server rejected the request for any other reason.
    case rejected(status: Int, reason: String)
    /// The server answered 401.
    case notAuthenticated(reason: String)
    /// The server answered 403.
    case notAllowed(reason: String)
    /// No URL for bookings is configured.
    case notConfigured
}

/// When a request that may have arrived may be sent again under the same key without making a second
/// booking or change.
public enum Resending: Sendable, Hashable {
    /// Not in this call: the request may still be running.
    case never
    /// Only if the server is known to honor idempotency keys.
    case ifKeysAreHonored
    /// At any server: it states that it did not process the request, or that it honors keys.
    case always
}
