/// How one attempt to book, or to change a booking, ended without a confirmation.
public enum BookingServerError: Error, Sendable, Hashable {
    /// No byte of the request left this machine, or the server rejected it unread (429).
    case notSent(reason: String, retryAfterSeconds: Int? = nil)
    /// It was sent, and no answer tells its outcome. After a timeout, sending it again would only
    /// wait again.
    case unanswered(reason: String, isTimeout: Bool = false, retryAfterSeconds: Int? = nil)
    /// A success (2xx) that confirms nothing.
    case accepted(reason: String, id: String? = nil)
    /// A redirect after which the request may or may not have been done (300 to 303).
    case unclear(reason: String)
    /// The server did nothing and names a different URL (307, 308).
    case redirected(to: String)
    /// 409 that does not name the slot as taken; perhaps an earlier attempt is still being processed.
    case conflict(name: String?, reason: String)
    /// The slot is taken.
    case slotUnavailable(alternatives: [AppointmentTime])
    /// The server has no such salon.
    case salonNotFound
    /// The salon is closed then.
    case outsideOpeningHours(reason: String, alternatives: [AppointmentTime] = [])
    /// A rule of the salon forbids the time.
    case notBookable(rule: String, reason: String, alternatives: [AppointmentTime])
    /// The server knows the key with different content.
    case idempotencyConflict
    /// The key was voided (410).
    case keyVoided
    /// There is no such appointment, or no longer.
    case appointmentNotFound(reason: String)
    /// The appointment has a different version; its current state, where the server reports it.
    case versionConflict(current: Appointment?)
    /// The server cannot change appointments.
    case notOffered(reason: String)
    /// Any other final rejection.
    case rejected(status: Int, reason: String)
    /// The server answered 401.
    case notAuthenticated(reason: String)
    /// The server answered 403.
    case notAllowed(reason: String)
    /// No URL is configured to book at.
    case notConfigured
}
