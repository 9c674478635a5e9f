/// How one attempt to book, or to change a booking, ended, when not with an echo.
public enum BookingRemoteError: Error, Sendable, Hashable {
    /// No byte of the request left this machine, or the remote refused it unread (429).
    case notSent(reason: String, retryAfterSeconds: Int? = nil)
    /// It left, and no answer tells what became of it.
    case unanswered(reason: String)
    /// The slot is somebody's.
    case slotUnavailable(alternatives: [AppointmentTime])
    /// The remote knows no such salon.
    case salonNotFound
    /// The remote says that the salon is closed then.
    case outsideOpeningHours(reason: String)
    /// The remote says that a rule of the salon forbids the time.
    case notBookable(rule: String, reason: String, alternatives: [AppointmentTime])
    /// The remote knows the key with another body.
    case idempotencyConflict
    /// There is no such appointment, or no longer.
    case appointmentNotFound(reason: String)
    /// The appointment has another version; it is this now, where the remote tells.
    case versionConflict(current: Appointment?)
    /// The remote cannot change appointments.
    case notOffered(reason: String)
    /// Any other clear no.
    case rejected(status: Int, reason: String)
    /// The server answered 401.
    case notAuthenticated(reason: String)
    /// The server answered 403.
    case notAllowed(reason: String)
    /// No address is known to book at.
    case notConfigured
}
