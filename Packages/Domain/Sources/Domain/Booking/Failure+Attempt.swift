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
