/// Why something was not booked or changed, or is not known to be.
public enum BookingError: Error, Sendable, Hashable {
    /// The request is wrong by itself; nothing was sent.
    case invalidRequest(field: String, reason: String)
    /// No such salon; nothing was booked.
    case salonNotFound(SalonID)
    /// The salon is closed then; nothing was booked.
    case outsideOpeningHours(OpeningHours?, reason: String)
    /// Somebody else has the slot; nothing was booked. Free slots nearby, where they are known.
    case slotUnavailable(alternatives: [AppointmentTime])
    /// A rule of the salon, named as ``BlockingRule`` names it, forbids the time; nothing was
    /// booked. Free slots after it, where they are known.
    case notBookable(rule: String, reason: String, alternatives: [AppointmentTime])
    /// The time names no instant for certain; nothing was booked.
    case invalidTime(InvalidTimeError)
    /// The remote could not be reached; nothing was booked and nothing is queued.
    case requiresConnection(reason: String, retryAfterSeconds: Int? = nil)
    /// The server rejected it for a reason of its own, with a status where that matters; nothing was
    /// booked.
    case rejected(status: Int?, reason: String)
    /// The remote broke the contract before anything was sent to it.
    case invalidData(reason: String)
    /// The request may have been sent and its outcome is unknown; `key` finds it again.
    case inDoubt(
        key: String,
        reason: String,
        action: BookingAction.Name = .book,
        retryAfterSeconds: Int? = nil
    )
    /// There is no such appointment, or no longer; nothing was changed.
    case appointmentNotFound(id: String, reason: String)
    /// The appointment has another version; nothing was changed. It is this now, where that is known.
    case versionConflict(current: Appointment?)
    /// The remote cannot change appointments; nothing was changed.
    case changesNotOffered(reason: String)
    /// The key was used for something else before; nothing was sent.
    case idempotencyConflict(key: String)
    /// The intent could not be written down, so nothing was sent.
    case journal(reason: String)
    /// The server answered 401; nothing was booked or changed.
    case notAuthenticated(reason: String)
    /// The server answered 403; nothing was booked or changed.
    case notAllowed(reason: String)
    /// No address is known to book at.
    case notConfigured
    /// The caller no longer wants it; nothing was sent.
    case cancelled

    /// The same error with its alternatives on `clock`: a server may report them with a different
    /// offset, with which they would be rejected.
    public func offering(on clock: SalonClock?) -> BookingError {
        guard let clock else { return self }
        return switch self {
        case .slotUnavailable(let times):
            .slotUnavailable(alternatives: times.map { clock.time(at: $0.instant) })
        case .notBookable(let rule, let reason, let times):
            .notBookable(
                rule: rule,
                reason: reason,
                alternatives: times.map { clock.time(at: $0.instant) }
            )
        default: self
        }
    }
}
