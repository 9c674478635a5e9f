/// Why something was not booked or changed, or why the outcome is unknown.
public enum BookingError: Error, Sendable, Hashable {
    /// The request is invalid; nothing was sent.
    case invalidRequest(field: String, reason: String)
    /// No such salon; nothing was booked.
    case salonNotFound(SalonID)
    /// The salon is closed then; nothing was booked. The alternatives are later free slots, if any are
    /// known.
    case outsideOpeningHours(
        OpeningHours?,
        reason: String,
        alternatives: [AppointmentTime] = []
    )
    /// The slot is taken; nothing was booked. The alternatives are later free slots, if any are known.
    /// `ownBooking` is the caller's own booking that takes the slot, if it is one.
    case slotUnavailable(alternatives: [AppointmentTime], ownBooking: OwnBooking? = nil)
    /// A rule of the salon, a name of ``BlockingRule``, forbids the time; nothing was booked. The
    /// alternatives are later free slots, if any are known.
    case notBookable(rule: String, reason: String, alternatives: [AppointmentTime])
    /// The time does not name exactly one instant; nothing was booked.
    case invalidTime(InvalidTimeError)
    /// The server could not be reached; nothing was booked and nothing is queued.
    case requiresConnection(reason: String, retryAfterSeconds: Int? = nil)
    /// The server rejected it for a reason of its own, with a status where that matters; nothing was
    /// booked.
    case rejected(status: Int?, reason: String)
    /// The server broke the contract before anything was sent to it.
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
    /// The appointment has a different version; nothing was changed. Its current state, if known.
    case versionConflict(current: Appointment?)
    /// The server cannot change appointments; nothing was changed.
    case changesNotOffered(reason: String)
    /// The key was used for a different request; nothing was sent.
    case idempotencyConflict(key: String)
    /// The intent could not be journaled, so nothing was sent.
    case journal(reason: String)
    /// The server answered 401; nothing was booked or changed.
    case notAuthenticated(reason: String)
    /// The server answered 403; nothing was booked or changed.
    case notAllowed(reason: String)
    /// No URL is configured for bookings.
    case notConfigured
    /// The caller cancelled the request before anything was sent.
    case cancelled

    /// The same error with its times on `clock`: a server may report them with a different offset, with
    /// which they would be rejected.
    public func offering(on clock: SalonClock?) -> BookingError {
        guard let clock else { return self }
        func onClock(_ times: [AppointmentTime]) -> [AppointmentTime] {
            times.map { clock.time(at: $0.instant) }
        }
        switch self {
        case .slotUnavailable(let times, var own):
            if let time = own?.appointment.booking.time {
                own?.appointment.booking.time = clock.time(at: time.instant)
            }
            return .slotUnavailable(alternatives: onClock(times), ownBooking: own)
        case .outsideOpeningHours(let hours, let reason, let times):
            return .outsideOpeningHours(hours, reason: reason, alternatives: onClock(times))
        case .notBookable(let rule, let reason, let times):
            return .notBookable(rule: rule, reason: reason, alternatives: onClock(times))
        default: return self
        }
    }
}
