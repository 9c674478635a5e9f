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

extension Failure {
    /// The failure of a booking or change whose attempt was rejected, was not sent, or left the outcome
    /// open.
    init(_ error: AttemptError, of intent: BookingIntent) {
        switch error {
        case _ where error.isInDoubt:
            self = .inDoubt(intent, error.reason, error.retryAfterSeconds)
        case .unproven(.notAuthenticated(let reason)):
            self = .notAuthenticated(reason: reason, key: intent.key)
        case .unproven(let rejection): self.init(rejection, of: intent)
        // A server that does not name its errors reports a taken slot as 409. A cancellation takes
        // no slot, so for it 409 is an ordinary rejection.
        case .conflict where intent.action.name == .cancel:
            self = .rejected(status: 409, reason: error.reason)
        case .conflict(let reason): self = .slotUnavailable(alternatives: [], reason: reason)
        case .slotUnavailable(let alternatives, let reason):
            self = .slotUnavailable(alternatives: alternatives, reason: reason)
        case .redirected(let url):
            self = .rejected(status: nil, reason: "the server redirects the request to \(url)")
        case .salonNotFound: self = .salonNotFound(intent.action.salonID)
        case .outsideOpeningHours(let reason, let alternatives):
            self = .outsideOpeningHours([], reason: reason, alternatives: alternatives)
        case .notBookable(let rule, let reason, let alternatives):
            self = .notBookable(rule: rule, reason: reason, alternatives: alternatives)
        case .tooManyAppointments(let reason, let limit):
            self = .tooManyAppointments(reason: reason, limit: limit)
        case .appointmentNotFound(let reason):
            self = .appointmentNotFound(id: intent.action.outcome.id ?? "", reason: reason)
        case .versionConflict(let current, _): self = .versionConflict(current: current)
        case .idempotencyConflict: self = .idempotencyConflict(key: intent.key)
        case .keyVoided: self = .rejected(status: 410, reason: error.reason)
        default: self.init(error)
        }
    }

    /// The failure of a change of a salon whose attempt was rejected, was not sent, or left the outcome
    /// open.
    init(_ error: AttemptError, of salon: SalonID) {
        switch error {
        case .unproven(let rejection): self.init(rejection, of: salon)
        case _ where error.isInDoubt:
            self = .salonInDoubt(
                salon,
                reason: error.reason,
                retryAfterSeconds: error.retryAfterSeconds
            )
        case .versionConflict: self = .salonVersionConflict(current: nil)
        case .notFound: self = .salonNotFound(salon)
        case .salonHasBookings(let reason): self = .salonHasBookings(salon, reason: reason)
        case .noResource(let reason): self = .changesUnsupported(reason: reason)
        default: self.init(error)
        }
    }

    /// The failure that a rejection means for every kind of attempt.
    init(_ rejection: AttemptError) {
        switch rejection {
        case .notSent(let reason, let seconds):
            self = .requiresConnection(reason: reason, retryAfterSeconds: seconds)
        case .notAuthenticated(let reason): self = .notAuthenticated(reason: reason)
        case .notAllowed(let reason): self = .notAllowed(reason: reason)
        case .notConfigured: self = .notConfigured
        case .unsupported(let reason): self = .changesUnsupported(reason: reason)
        case .tooManyHolds(let reason, let seconds):
            self = .tooManyHolds(reason: reason, retryAfterSeconds: seconds)
        case .rejected(let status, let reason): self = .rejected(status: status, reason: reason)
        case .conflict: self = .rejected(status: 409, reason: rejection.reason)
        default: self = .rejected(status: nil, reason: rejection.reason)
        }
    }

    /// The failure of a booking that was cancelled, or of a change that can no longer be done, because
    /// the appointment has changed to `current`, or is gone if `current` is nil.
    init(supersededBy current: Appointment?, _ intent: BookingIntent) {
        if intent.action.name == .book {
            self = .rejected(status: nil, reason: "the server lists the appointment as cancelled")
        } else if let current, current.isActive {
            self = .versionConflict(current: current)
        } else {
            self = .appointmentNotFound(
                id: intent.action.outcome.id ?? "",
                reason: current == nil ? "the server no longer lists it" : "it was cancelled"
            )
        }
    }

    static func inDoubt(
        _ intent: BookingIntent,
        _ reason: String,
        _ retryAfterSeconds: Int? = nil
    ) -> Failure {
        .inDoubt(
            key: intent.key,
            reason: reason,
            action: intent.action.name,
            retryAfterSeconds: retryAfterSeconds
        )
    }
}
