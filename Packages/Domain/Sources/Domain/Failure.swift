/// Why the program has not done what it was asked, or does not know whether it was done.
///
/// Loads, bookings, changes, holds, and queries for slots throw it. Each case holds the facts that the
/// caller needs: what an attempt to change something was answered is an ``AttemptError``, which becomes
/// a failure when the attempt is given up.
public enum Failure: Error, Sendable, Hashable {
    // MARK: Any request

    /// There is no connection: neither the server nor a proxy could be reached. Only then do the seeds'
    /// rules for a missing connection apply. A later attempt may succeed.
    case connectivity(reason: String, retryAfterSeconds: Int? = nil)
    /// Something was reached, but cannot serve the request at the moment: the server is too slow, it
    /// returned 429 or 5xx, its circuit breaker is open, a proxy or TLS failed, the connection was
    /// closed, or the network returned a sign-in page. A later attempt may succeed. A load may then
    /// return a cached value only if it is fresh.
    case unavailable(reason: String, retryAfterSeconds: Int? = nil)
    /// The server returned 401: the credentials are missing, expired, or wrong. Nothing was changed.
    /// `key` is the key of a booking or change whose appointment may still appear.
    case notAuthenticated(reason: String, key: String? = nil)
    /// The server returned 403: the credentials do not permit the request. Nothing was changed.
    case notAllowed(reason: String)
    /// The status or the payload of a response violates the contract. Nothing was changed.
    case invalidData(reason: String)
    /// No URL is configured for the resource.
    case notConfigured
    /// The caller cancelled the request before anything was sent.
    case cancelled
    /// An operation of the cache failed.
    case cache(CacheOperation, reason: String)

    // MARK: What was asked for

    /// The request is invalid; nothing was sent.
    case invalidRequest(field: String, reason: String)
    /// A time in the request does not name exactly one instant; nothing was booked.
    case invalidTime(InvalidTime, field: String = "appointmentTime")
    /// This machine does not know the time zone of the salon.
    case zoneUnknown(ZoneID)
    /// The salon does not exist; nothing was booked or changed.
    case salonNotFound(SalonID)

    // MARK: Bookings and changes

    /// The server could not be reached, or did not process the request; nothing was booked or changed,
    /// and the request is not queued for later.
    case requiresConnection(reason: String, retryAfterSeconds: Int? = nil)
    /// The request was rejected for a reason that no other case names; nothing was booked or changed.
    /// `status` is the HTTP status, or nil, for example after a redirect.
    case rejected(status: Int?, reason: String)
    /// The server cannot make such changes; nothing was changed.
    case changesUnsupported(reason: String)
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
    /// The key was used for a different request; this one was not done.
    case idempotencyConflict(key: String)
    /// The intent could not be journaled, so nothing was sent.
    case journal(reason: String)

    // MARK: Salons

    /// The salon has a different version, so the change cannot be made. `current` is the stored
    /// salon, if known. If the response to the change was lost, the change may have been made before
    /// a later one.
    case salonVersionConflict(current: Salon?)
    /// The salon has active bookings in the future, so it was not deleted.
    case salonHasBookings(SalonID, reason: String)
    /// The change of the salon was sent, and its outcome is unknown.
    case salonInDoubt(SalonID, reason: String, retryAfterSeconds: Int? = nil)

    // MARK: Holds

    /// The caller has too many holds, or sends too many requests (429).
    case tooManyHolds(reason: String, retryAfterSeconds: Int?)
    /// The server knows no hold with this id.
    case holdNotFound(id: String, reason: String)
    /// The server cannot hold times.
    case holdsUnsupported(reason: String)
    /// The time may be held. A hold ends by itself; a server that honors keys returns it if the
    /// request is repeated under `key`.
    case holdInDoubt(key: String, reason: String, retryAfterSeconds: Int? = nil)
    /// The hold `id` may not have been released. It ends by itself.
    case releaseInDoubt(id: String, reason: String, retryAfterSeconds: Int? = nil)

    /// The failure of an operation of the cache that threw `error`.
    public static func cache(_ operation: CacheOperation, _ error: any Error) -> Failure {
        .cache(operation, reason: "\(error)")
    }

    /// This failure of a query as that of the booking or change that it prepared.
    var beforeSending: Failure {
        switch self {
        case .connectivity(let reason, let seconds), .unavailable(let reason, let seconds):
            .requiresConnection(reason: reason, retryAfterSeconds: seconds)
        default: self
        }
    }

    /// Whether the time cannot be booked, so that the failure may name other times.
    var isAboutTime: Bool {
        switch self {
        case .slotUnavailable, .outsideOpeningHours, .notBookable: true
        default: false
        }
    }

    /// Returns this failure with its times on `clock`. A server may report times with a UTC offset
    /// that the salon's time zone does not have, but requests with such an offset are rejected.
    public func withTimes(on clock: SalonClock?) -> Failure {
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

/// An operation of a cache.
public enum CacheOperation: String, Sendable {
    /// Reads a cached value.
    case retrieval
    /// Stores a value.
    case insertion
    /// Deletes a cached value.
    case deletion
}

extension Failure: CustomStringConvertible {
    /// The reason in words.
    public var description: String {
        switch self {
        case .connectivity(let reason, _), .unavailable(let reason, _),
            .notAuthenticated(let reason, _), .notAllowed(let reason), .invalidData(let reason),
            .invalidRequest(_, let reason), .requiresConnection(let reason, _),
            .rejected(_, let reason), .changesUnsupported(let reason),
            .outsideOpeningHours(_, let reason, _), .notBookable(_, let reason, _),
            .tooManyAppointments(let reason, _), .inDoubt(_, let reason, _, _),
            .appointmentNotFound(_, let reason), .journal(let reason),
            .salonHasBookings(_, let reason), .salonInDoubt(_, let reason, _),
            .tooManyHolds(let reason, _), .holdNotFound(_, let reason),
            .holdsUnsupported(let reason), .holdInDoubt(_, let reason, _),
            .releaseInDoubt(_, let reason, _):
            reason
        case .notConfigured: "no URL is configured for it"
        case .cancelled: "cancelled"
        case .cache(let operation, let reason): "cache \(operation.rawValue) failed: \(reason)"
        case .invalidTime(let invalid, let field): "\(field) \(invalid.reason)"
        case .zoneUnknown(let zone): "this machine does not know the time zone \(zone)"
        case .salonNotFound(let id): "there is no salon \(id)"
        case .slotUnavailable(_, _, let reason): reason ?? "the slot is taken"
        case .versionConflict, .salonVersionConflict: "it has a different version now"
        case .idempotencyConflict: "the key was used for a different request"
        }
    }
}
