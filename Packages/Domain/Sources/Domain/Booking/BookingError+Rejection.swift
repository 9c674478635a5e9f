extension BookingError {
    /// The error of a booking or change that failed before it was sent.
    init(beforeSending error: ServerError) {
        switch error {
        case .connectivity(let reason, let retryAfterSeconds),
            .unavailable(let reason, let retryAfterSeconds):
            self = .requiresConnection(reason: reason, retryAfterSeconds: retryAfterSeconds)
        case .notAuthenticated(let reason): self = .notAuthenticated(reason: reason)
        case .notAllowed(let reason): self = .notAllowed(reason: reason)
        case .invalidData(let reason): self = .invalidData(reason: reason)
        case .notConfigured: self = .notConfigured
        case .cancelled: self = .cancelled
        }
    }

    /// The error of an attempt that the server rejected, or that was not sent.
    init(_ rejection: BookingServerError, of intent: BookingIntent) {
        switch rejection {
        case .notSent(let reason, let retryAfterSeconds):
            self = .requiresConnection(reason: reason, retryAfterSeconds: retryAfterSeconds)
        case .noResponse(let reason, _, let seconds), .stillProcessing(let reason, _, let seconds):
            self = .inDoubt(intent, reason, seconds)
        case .unproven(.notAuthenticated(let reason)):
            self = .notAuthenticated(reason: reason, key: intent.key)
        case .unproven(let rejection): self.init(rejection, of: intent)
        case .accepted(let reason, _), .unclear(let reason): self = .inDoubt(intent, reason)
        // A server that does not name its errors reports a taken slot as 409. A cancellation takes
        // no slot, so for it 409 is an ordinary rejection.
        case .conflict(let reason) where intent.action.name == .cancel:
            self = .rejected(status: 409, reason: reason ?? "it responded with status 409")
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
        case .versionConflict(let current): self = .versionConflict(current: current)
        case .unsupported(let reason): self = .changesUnsupported(reason: reason)
        case .idempotencyConflict: self = .idempotencyConflict(key: intent.key)
        case .keyVoided: self = .rejected(status: 410, reason: "its idempotency key was voided")
        case .rejected(let status, let reason): self = .rejected(status: status, reason: reason)
        case .notAuthenticated(let reason): self = .notAuthenticated(reason: reason)
        case .notAllowed(let reason): self = .notAllowed(reason: reason)
        case .notConfigured: self = .notConfigured
        }
    }

    /// The error of a booking that was cancelled, or of a change that can no longer be done, because
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
    ) -> BookingError {
        .inDoubt(
            key: intent.key,
            reason: reason,
            action: intent.action.name,
            retryAfterSeconds: retryAfterSeconds
        )
    }
}
