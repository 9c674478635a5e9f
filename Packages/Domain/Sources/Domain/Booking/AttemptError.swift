/// Why one attempt to change something at the server ended without a confirmation: to make or change a
/// booking, to make or release a hold, or to change a salon.
public enum AttemptError: Error, Sendable, Hashable {
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
    indirect case unproven(AttemptError)
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
    /// The appointment or the salon has a different version (412). `current` is the present state of
    /// the appointment, if the server reports it.
    case versionConflict(current: Appointment? = nil, reason: String? = nil)
    /// The server states that the hold, or the salon to be changed, does not exist.
    case notFound(reason: String)
    /// A 404 or 410 that does not state what is missing. A server without such a method sends it,
    /// and so do proxies that do not reach the server.
    case noResource(reason: String)
    /// The caller has too many holds, or sends too many requests about holds (429).
    case tooManyHolds(reason: String, retryAfterSeconds: Int?)
    /// The salon has active bookings in the future, so it cannot be deleted.
    case salonHasBookings(reason: String)
    /// The server cannot do this: change appointments or salons, or hold times.
    case unsupported(reason: String)
    /// The server rejected the request for any other reason. `status` is nil if it redirected the
    /// request.
    case rejected(status: Int?, reason: String)
    /// The server answered 401.
    case notAuthenticated(reason: String)
    /// The server answered 403.
    case notAllowed(reason: String)
    /// No URL is configured for it.
    case notConfigured
}

extension AttemptError {
    /// What the server says, or what happened.
    var reason: String {
        switch self {
        case .notSent(let reason, _), .noResponse(let reason, _, _), .accepted(let reason, _),
            .unclear(let reason), .stillProcessing(let reason, _, _),
            .outsideOpeningHours(let reason, _), .notBookable(_, let reason, _),
            .tooManyAppointments(let reason, _), .appointmentNotFound(let reason),
            .notFound(let reason), .noResource(let reason), .tooManyHolds(let reason, _),
            .salonHasBookings(let reason), .unsupported(let reason), .rejected(_, let reason),
            .notAuthenticated(let reason), .notAllowed(let reason):
            reason
        case .unproven(let rejection): rejection.reason
        case .redirected(let url): "the request was redirected to \(url)"
        case .conflict(let reason): reason ?? "it responded with status 409"
        case .slotUnavailable(_, let reason): reason ?? "the slot is taken"
        case .salonNotFound: "there is no such salon"
        case .idempotencyConflict: "the key was used for a different request"
        case .keyVoided: "its idempotency key was voided"
        case .versionConflict(_, let reason): reason ?? "it has a different version"
        case .notConfigured: "no URL is configured for it"
        }
    }

    /// When the server suggests to try again, in seconds.
    var retryAfterSeconds: Int? {
        switch self {
        case .notSent(_, let seconds), .noResponse(_, _, let seconds),
            .stillProcessing(_, _, let seconds), .tooManyHolds(_, let seconds):
            seconds
        case .unproven(let rejection): rejection.retryAfterSeconds
        default: nil
        }
    }

    /// Whether the attempt leaves open whether it was carried out.
    var isInDoubt: Bool {
        switch self {
        case .noResponse, .stillProcessing, .accepted, .unclear: true
        default: false
        }
    }
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
