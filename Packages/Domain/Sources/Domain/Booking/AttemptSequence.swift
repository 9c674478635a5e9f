/// Decides what follows each answer to a booking or a change. It makes no requests.
///
/// Only the rejection of a first attempt is final by itself. Anything else may hide that an attempt
/// arrived, so the server is asked what it holds before the outcome is reported.
struct AttemptSequence {
    /// What may have arrived so far.
    private enum State {
        /// No attempt can have arrived before the one that is under way.
        case first
        /// An attempt may have arrived. Since then it was sent again `resends` times after silence
        /// and `conflicts` times after a conflict.
        case exposed(resends: Int, conflicts: Int)
    }

    /// What to do after an answer.
    enum Action {
        /// It is done.
        case confirm(Appointment)
        /// It is not done.
        case reject(BookingError)
        /// Ask what the server holds. If it shows nothing, use the fallback.
        case lookUp(ifAbsent: Fallback)
    }

    /// What to do when the server does not show that it is done.
    enum Fallback {
        /// It is not done.
        case reject(BookingError)
        /// Send it again under the same key after a pause.
        case resend(after: Duration, reason: String)
        /// The outcome stays unknown.
        case doubt(reason: String, retryAfterSeconds: Int? = nil)
    }

    /// How long to wait before each repetition of a request that the server is still processing.
    private static let conflictPauses: [Duration] = [
        .milliseconds(250), .milliseconds(500), .seconds(1), .seconds(2), .seconds(2),
    ]
    private static let maximumResends = 1
    /// The longest `Retry-After`, in seconds, to wait for while a caller waits.
    private static let maximumRetryAfter = 10

    private let intent: BookingIntent
    private var state: State

    /// Starts a sequence; `wasSentBefore` tells that an earlier attempt may have arrived.
    init(of intent: BookingIntent, wasSentBefore: Bool) {
        self.intent = intent
        state = wasSentBefore ? .exposed(resends: 0, conflicts: 0) : .first
    }

    /// Takes an answer that is a success.
    mutating func receive(_ echo: ReportedAppointment) -> Action {
        if let confirmed = intent.action.confirmation(by: echo) { return .confirm(confirmed) }
        expose()
        return doubt("the server confirmed something different from what was requested")
    }

    /// Takes the end of an attempt without a confirmation.
    mutating func receive(_ failure: BookingServerError) -> Action {
        switch failure {
        case .unanswered(let reason, let isTimeout, let retryAfter):
            return afterSilence(reason, isTimeout: isTimeout, retryAfter)
        case .accepted(let reason, _), .unclear(let reason):
            expose()
            return doubt(reason)
        case .conflict(let name, let reason): return afterConflict(name, reason)
        default: return afterRejection(failure)
        }
    }

    private func doubt(_ reason: String, _ retryAfter: Int? = nil) -> Action {
        .lookUp(ifAbsent: .doubt(reason: reason, retryAfterSeconds: retryAfter))
    }

    private mutating func expose() {
        if case .first = state { state = .exposed(resends: 0, conflicts: 0) }
    }

    private mutating func afterSilence(
        _ reason: String,
        isTimeout: Bool,
        _ retryAfter: Int?
    ) -> Action {
        expose()
        guard case .exposed(let resends, let conflicts) = state, resends < Self.maximumResends,
            !isTimeout, retryAfter ?? 0 <= Self.maximumRetryAfter
        else { return doubt(reason, retryAfter) }
        state = .exposed(resends: resends + 1, conflicts: conflicts)
        let pause = Duration.seconds(max(retryAfter ?? 0, 0))
        return .lookUp(ifAbsent: .resend(after: pause, reason: reason))
    }

    private mutating func afterConflict(_ name: String?, _ reason: String) -> Action {
        switch state {
        case .first where name == nil:
            let error = BookingError(.conflict(name: name, reason: reason), of: intent)
            return .lookUp(ifAbsent: .reject(error))
        case .first:
            state = .exposed(resends: 0, conflicts: 1)
            return resend(afterConflict: 0, reason)
        case .exposed(let resends, let conflicts):
            guard conflicts < Self.conflictPauses.count else { return doubt(reason) }
            state = .exposed(resends: resends, conflicts: conflicts + 1)
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
        case .first: return isFinal(rejection) ? .reject(error) : .lookUp(ifAbsent: .reject(error))
        case .exposed:
            return doubt("the server rejected a repeated request, perhaps because it is done")
        }
    }

    /// Whether a rejection of the first attempt needs no lookup. A proxy may have sent a change twice,
    /// and then the second is rejected because the first is done.
    private func isFinal(_ rejection: BookingServerError) -> Bool {
        switch (rejection, intent.action) {
        case (.notSent, _), (.notConfigured, _): true
        case (.slotUnavailable, _), (_, .change): false
        default: true
        }
    }
}
