/// Decides what to do after each attempt to send a booking or a change. It sends no requests
/// itself.
///
/// Only a rejection of the first attempt can be final. In every other case an attempt may have
/// arrived, so the caller looks up the server's appointments before it reports an outcome.
struct AttemptSequence {
    /// Whether the server may have received an attempt.
    private enum State {
        /// The first attempt is under way. No earlier attempt can have arrived.
        case firstAttempt
        /// An attempt may have arrived. `resends` counts the retries since then after a missing
        /// response, and `conflicts` those after a conflict.
        case mayHaveArrived(resends: Int, conflicts: Int)
    }

    /// What to do after an attempt.
    enum Action {
        /// Report that the booking or change is done.
        case confirm(Appointment)
        /// Report that it was not done.
        case reject(BookingError)
        /// Look up the server's appointments. If they do not show it, use the fallback.
        case lookUp(ifAbsent: Fallback)
    }

    /// What to do if the server's appointments do not show the booking or change.
    enum Fallback {
        /// Report that it was not done.
        case reject(BookingError)
        /// Send it again under the same key after a pause.
        case resend(after: Duration, reason: String)
        /// Report that the outcome is unknown.
        case doubt(reason: String, retryAfterSeconds: Int? = nil)
    }

    /// How long to wait before each retry of a request that the server is still processing.
    private static let conflictPauses: [Duration] = [
        .milliseconds(250), .milliseconds(500), .seconds(1), .seconds(2), .seconds(2),
    ]
    private static let maximumResends = 1
    /// The longest `Retry-After`, in seconds, that a booking waits for. If it is longer, the
    /// request is not sent again.
    private static let maximumRetryAfter = 10

    private let intent: BookingIntent
    private var state: State

    /// Starts a sequence. `wasSentBefore` means that an earlier attempt may have arrived.
    init(of intent: BookingIntent, wasSentBefore: Bool) {
        self.intent = intent
        state = wasSentBefore ? .mayHaveArrived(resends: 0, conflicts: 0) : .firstAttempt
    }

    /// Handles a successful response, which echoes the appointment.
    mutating func receive(_ echo: ReportedAppointment) -> Action {
        if let confirmed = intent.action.confirmation(by: echo) { return .confirm(confirmed) }
        recordPossibleArrival()
        return doubt("the server confirmed something different from what was requested")
    }

    /// Handles an attempt that ended without a confirmation.
    mutating func receive(_ failure: BookingServerError) -> Action {
        switch failure {
        case .noResponse(let reason, let isTimeout, let retryAfter):
            return afterMissingResponse(reason, isTimeout: isTimeout, retryAfter)
        case .accepted(let reason, _), .unclear(let reason):
            recordPossibleArrival()
            return doubt(reason)
        case .conflict(let name, let reason): return afterConflict(name, reason)
        default: return afterRejection(failure)
        }
    }

    private func doubt(_ reason: String, _ retryAfter: Int? = nil) -> Action {
        .lookUp(ifAbsent: .doubt(reason: reason, retryAfterSeconds: retryAfter))
    }

    private mutating func recordPossibleArrival() {
        if case .firstAttempt = state { state = .mayHaveArrived(resends: 0, conflicts: 0) }
    }

    private mutating func afterMissingResponse(
        _ reason: String,
        isTimeout: Bool,
        _ retryAfter: Int?
    ) -> Action {
        recordPossibleArrival()
        guard case .mayHaveArrived(let resends, let conflicts) = state,
            resends < Self.maximumResends,
            !isTimeout, retryAfter ?? 0 <= Self.maximumRetryAfter
        else { return doubt(reason, retryAfter) }
        state = .mayHaveArrived(resends: resends + 1, conflicts: conflicts)
        let pause = Duration.seconds(max(retryAfter ?? 0, 0))
        return .lookUp(ifAbsent: .resend(after: pause, reason: reason))
    }

    private mutating func afterConflict(_ name: String?, _ reason: String) -> Action {
        switch state {
        case .firstAttempt where name == nil:
            let error = BookingError(.conflict(name: name, reason: reason), of: intent)
            return .lookUp(ifAbsent: .reject(error))
        case .firstAttempt:
            state = .mayHaveArrived(resends: 0, conflicts: 1)
            return resend(afterConflict: 0, reason)
        case .mayHaveArrived(let resends, let conflicts):
            guard conflicts < Self.conflictPauses.count else { return doubt(reason) }
            state = .mayHaveArrived(resends: resends, conflicts: conflicts + 1)
            return resend(afterConflict: conflicts, reason)
        }
    }

    private func resend(afterConflict number: Int, _ reason: String) -> Action {
        let pause = Self.conflictPauses[number]
        return .lookUp(ifAbsent: .resend(after: pause, reason: reason))
    }

    private func afterRejection(_ rejection: BookingServerError) -> Action {
        let error = BookingError(rejection, of: intent)
        switch state {
        case .firstAttempt:
            return isFinal(rejection) ? .reject(error) : .lookUp(ifAbsent: .reject(error))
        case .mayHaveArrived:
            return doubt(
                "the server rejected a repeated request, perhaps because the first one succeeded"
            )
        }
    }

    /// Whether a rejection of the first attempt is final without a lookup. A rejected change and a
    /// taken slot are not: a proxy may have sent the request twice, and then the server rejects the
    /// second copy because the first one succeeded.
    private func isFinal(_ rejection: BookingServerError) -> Bool {
        switch (rejection, intent.action) {
        case (.notSent, _), (.notConfigured, _): true
        case (.slotUnavailable, _), (_, .change): false
        default: true
        }
    }
}
