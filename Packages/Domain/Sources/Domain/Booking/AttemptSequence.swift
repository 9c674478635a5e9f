/// Decides what follows each answer to a booking or a change. Makes no request itself.
///
/// Only the rejection of a first attempt is final by itself. Anything else may hide that an attempt
/// arrived, so the server is asked what it holds before the outcome is reported.
struct AttemptSequence {
    /// What may have happened so far.
    private enum State {
        /// No attempt can have arrived before the one that is under way.
        case first
        /// An attempt may have arrived; since then, this many were sent again after silence, and
        /// this many after a conflict.
        case exposed(resends: Int, conflicts: Int)
    }

    /// What to do after an answer.
    enum Action {
        /// It is done.
        case confirm(Appointment)
        /// It is not done.
        case reject(BookingError)
        /// Ask what the server holds; where it shows nothing, do this.
        case lookUp(ifAbsent: Fallback)
    }

    /// What to do when the server does not show that it is done.
    enum Fallback {
        /// It is not done.
        case reject(BookingError)
        /// Send it again under the same key after a pause.
        case resend(afterMilliseconds: Int, reason: String)
        /// The outcome stays unknown.
        case doubt(reason: String, retryAfterSeconds: Int? = nil)
    }

    /// How long to wait, in milliseconds, before a request is repeated that the server still
    /// processes.
    private static let conflictPauses = [250, 500, 1_000, 2_000, 2_000]
    private static let mostResends = 1
    /// The longest `Retry-After`, in seconds, that is waited for while a caller waits.
    private static let longestWait = 10

    private let intent: BookingIntent
    private var state: State

    /// Begins a sequence; `wasSentBefore` tells that an earlier attempt may have arrived.
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
    mutating func receive(_ failure: BookingRemoteError) -> Action {
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
        guard case .exposed(let resends, let conflicts) = state, resends < Self.mostResends,
            !isTimeout, retryAfter ?? 0 <= Self.longestWait
        else { return doubt(reason, retryAfter) }
        state = .exposed(resends: resends + 1, conflicts: conflicts)
        let pause = max(retryAfter ?? 0, 0) * 1_000
        return .lookUp(ifAbsent: .resend(afterMilliseconds: pause, reason: reason))
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
        return .lookUp(ifAbsent: .resend(afterMilliseconds: pause, reason: reason))
    }

    private func afterRejection(_ rejection: BookingRemoteError) -> Action {
        let error = BookingError(rejection, of: intent)
        switch state {
        case .first: return isFinal(rejection) ? .reject(error) : .lookUp(ifAbsent: .reject(error))
        case .exposed:
            return doubt("the server rejected a repeated request, perhaps because it is done")
        }
    }

    /// Whether a rejection of the first attempt needs no look at the server: a proxy may have sent a
    /// change twice, and then the second one is rejected because the first one is done.
    private func isFinal(_ rejection: BookingRemoteError) -> Bool {
        switch (rejection, intent.action) {
        case (.notSent, _), (.notConfigured, _): true
        case (.slotUnavailable, _), (_, .change): false
        default: true
        }
    }
}
