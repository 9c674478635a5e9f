extension BookingError {
    /// The error of something that ended before it was sent.
    init(beforeSending error: RemoteError) {
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

    /// The error of an attempt that the remote refused, or that never left.
    init(_ refusal: BookingRemoteError, of intent: BookingIntent) {
        switch refusal {
        case .notSent(let reason, let retryAfterSeconds):
            self = .requiresConnection(reason: reason, retryAfterSeconds: retryAfterSeconds)
        case .unanswered(let reason): self = .inDoubt(intent, reason)
        case .slotUnavailable(let alternatives): self = .slotUnavailable(alternatives: alternatives)
        case .salonNotFound: self = .salonNotFound(intent.action.salonID)
        case .outsideOpeningHours(let reason): self = .outsideOpeningHours(nil, reason: reason)
        case .notBookable(let rule, let reason, let alternatives):
            self = .notBookable(rule: rule, reason: reason, alternatives: alternatives)
        case .appointmentNotFound(let reason):
            self = .appointmentNotFound(id: intent.action.outcome.id ?? "", reason: reason)
        case .versionConflict(let current): self = .versionConflict(current: current)
        case .notOffered(let reason): self = .changesNotOffered(reason: reason)
        case .idempotencyConflict: self = .idempotencyConflict(key: intent.key)
        case .rejected(let status, let reason): self = .rejected(status: status, reason: reason)
        case .notAuthenticated(let reason): self = .notAuthenticated(reason: reason)
        case .notAllowed(let reason): self = .notAllowed(reason: reason)
        case .notConfigured: self = .notConfigured
        }
    }

    /// The error of a change that cannot be done any more, since the appointment is `now` otherwise.
    init(overtakenBy now: Appointment?, _ intent: BookingIntent) {
        if let now, now.status == .booked {
            self = .versionConflict(current: now)
        } else {
            self = .appointmentNotFound(
                id: intent.action.outcome.id ?? "",
                reason: now == nil ? "the remote no longer lists it" : "it was cancelled"
            )
        }
    }

    static func inDoubt(_ intent: BookingIntent, _ reason: String) -> BookingError {
        .inDoubt(key: intent.key, reason: reason, action: intent.action.name)
    }
}
