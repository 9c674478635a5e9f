/// Why a booking or change was not done, or why its outcome is unknown.
public enum BookingError: Error, Sendable, Hashable {
    /// The request is invalid; nothing was sent.
    case invalidRequest(field: String, reason: String)
    /// The salon does not exist; nothing was booked.
    case salonNotFound(SalonID)
    /// The salon is closed at that time; nothing was booked. The alternatives are free slots near it,
    /// if any are known.
    case outsideOpeningHours(
        [OpeningHours],
        reason: String,
        alternatives: [AppointmentTime] = []
    )
    /// The slot is taken; nothing was booked. The alternatives are free slots near it, if any are
    /// known. `ownBooking` is the caller's own booking of the slot, or nil. `reason` is what the
    /// server says about it, or nil.
    case slotUnavailable(
        alternatives: [AppointmentTime],
        ownBooking: OwnBooking? = nil,
        reason: String? = nil
    )
    /// One of the salon's rules forbids the time; nothing was booked. `rule` is a name of a
    /// ``BlockingRule``. The alternatives are free slots near it, if any are known.
    case notBookable(rule: String, reason: String, alternatives: [AppointmentTime])
    /// The customer has as many appointments as it may have; nothing was booked. `limit` is their
    /// number, if the server states it.
    case tooManyAppointments(reason: String, limit: Int?)
    /// The time does not name exactly one instant; nothing was booked.
    case invalidTime(InvalidTimeError)
    /// The server could not be reached, or did not process the request; nothing was booked, and the
    /// request is not queued for later.
    case requiresConnection(reason: String, retryAfterSeconds: Int? = nil)
    /// The request was rejected for a reason that no other case names; nothing was booked. `status`
    /// is the HTTP status, or nil, for example after a redirect.
    case rejected(status: Int?, reason: String)
    /// A response that violates the contract arrived before the booking was sent.
    case invalidData(reason: String)
    /// The request may have been sent, and its outcome is unknown. Repeat the request under `key`,
    /// or find out the outcome with ``ResolveBookings``.
    case inDoubt(
        key: String,
        reason: String,
        action: BookingAction.Name = .book,
        retryAfterSeconds: Int? = nil
    )
    /// The appointment does not exist or was cancelled; nothing was changed.
    case appointmentNotFound(id: String, reason: String)
    /// The appointment has a different version, so the change cannot be made. `current` is its
    /// present state, if known. If the response to the change was lost, the change may have been made
    /// before a later one.
    case versionConflict(current: Appointment?)
    /// The server cannot change appointments; nothing was changed.
    case changesUnsupported(reason: String)
    /// The key was used for a different request; this one was not done.
    case idempotencyConflict(key: String)
    /// The intent could not be journaled, so nothing was sent.
    case journal(reason: String)
    /// The server answered 401; nothing was booked or changed. `key` is the key of the request if its
    /// appointment may still appear.
    case notAuthenticated(reason: String, key: String? = nil)
    /// The server answered 403; nothing was booked or changed.
    case notAllowed(reason: String)
    /// No URL for bookings is configured.
    case notConfigured
    /// The caller cancelled the request before anything was sent.
    case cancelled

    /// Returns this error with its times on `clock`. A server may report times with a UTC offset
    /// that the salon's time zone does not have, but requests with such an offset are rejected.
    public func withTimes(on clock: SalonClock?) -> BookingError {
        guard let clock else { return self }
        func onClock(_ times: [AppointmentTime]) -> [AppointmentTime] {
            times.map { clock.time(at: $0.instant) }
        }
        switch self {
        case .slotUnavailable(let times, var own, let reason):
            if let time = own?.appointment.booking.time {
                own?.appointment.booking.time = clock.time(at: time.instant)
            }
            return .slotUnavailable(
                alternatives: onClock(times),
                ownBooking: own,
                reason: reason
            )
        case .outsideOpeningHours(let hours, let reason, let times):
            return .outsideOpeningHours(hours, reason: reason, alternatives: onClock(times))
        case .notBookable(let rule, let reason, let times):
            return .notBookable(rule: rule, reason: reason, alternatives: onClock(times))
        default: return self
        }
    }
}
