/// Decides what to do after each attempt to send a booking or a change. It sends no requests
/// itself.
///
/// A confirmation is final, and a rejection of the first attempt can be. In every other case an
/// attempt may have arrived, so the caller looks up the server's appointments before it reports an
/// outcome.
struct AttemptSequence {
    /// Whether the server may have received an attempt.
    private enum State: Equatable {
        /// The first attempt is under way. No earlier attempt can have arrived, or each was rejected.
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
        case reject(Failure)
        /// Look up the server's appointments. If they do not show it, use the fallback.
        case lookUp(ifAbsent: Fallback)
    }

    /// What to do if the server's appointments do not show the booking or change.
    enum Fallback {
        /// Report that it was not done.
        case reject(Failure)
        /// Report that it was not done, but leave it open in the journal: the rejection need not be
        /// the server's own.
        case rejectUnproven(Failure)
        /// Report that it was not done, because the server sent 409, but leave it open in the
        /// journal. Unless `isDecided` or the list shows a different appointment at that time, look
        /// it up a second time first.
        case rejectConflict(Failure, isDecided: Bool)
        /// Send the request again under the same key after a pause, if that cannot make a second
        /// booking or change; otherwise, wait.
        case resend(after: Duration, reason: String, Resending, retryAfterSeconds: Int?)
        /// Look it up again for a while. If it does not appear, report that the outcome is unknown.
        case wait(reason: String, retryAfterSeconds: Int? = nil)
        /// Report that the outcome is unknown.
        case doubt(reason: String, retryAfterSeconds: Int? = nil)
        /// The caller repeats the request of an earlier call: send it again under the same key, if
        /// that cannot make a second booking or change; otherwise, report that the outcome is unknown.
        case resume
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

    /// Starts a sequence. `wasSentBefore` means that an earlier attempt may have arrived without a
    /// rejection.
    init(of intent: BookingIntent, wasSentBefore: Bool) {
        self.intent = intent
        state = wasSentBefore ? .mayHaveArrived(resends: 0, conflicts: 0) : .firstAttempt
    }

    /// Handles a successful response, which echoes the appointment. `claimed` are the ids of the
    /// appointments of other intents.
    mutating func receive(_ echo: ReportedAppointment, claimed: Set<String>) -> Action {
        if let confirmed = intent.confirmation(by: echo, claimed: claimed) {
            return .confirm(confirmed)
        }
        recordPossibleArrival()
        return doubt(
            echo.caveat.map { "the server's confirmation has \($0)" }
                ?? "the server's confirmation does not show what was requested"
        )
    }

    /// Handles an attempt that ended without a confirmation. `isCancelled` means that the caller
    /// cancelled the request, which decides nothing once an attempt may have arrived.
    mutating func receive(_ failure: AttemptError, isCancelled: Bool) -> Action {
        switch failure {
        case .noResponse(let reason, let resending, let retryAfter):
            return afterMissingResponse(reason, resending, retryAfter)
        case .accepted(let reason, _), .unclear(let reason):
            recordPossibleArrival()
            return doubt(reason)
        case .stillProcessing(let reason, let resending, let retryAfter):
            return whileProcessing(reason, resending, retryAfter)
        case .conflict(let reason) where state != .firstAttempt:
            let reason = reason ?? "the server responded with status 409"
            return whileProcessing(reason, .ifKeysAreHonored, nil)
        default: return afterRejection(failure, isCancelled: isCancelled)
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
        _ resending: Resending,
        _ retryAfter: Int?
    ) -> Action {
        recordPossibleArrival()
        guard case .mayHaveArrived(let resends, let conflicts) = state,
            resends < Self.maximumResends, resending != .never,
            retryAfter ?? 0 <= Self.maximumRetryAfter
        else {
            // A request that was not processed will not appear.
            if resending == .always { return doubt(reason, retryAfter) }
            return .lookUp(ifAbsent: .wait(reason: reason, retryAfterSeconds: retryAfter))
        }
        state = .mayHaveArrived(resends: resends + 1, conflicts: conflicts)
        let pause = Duration.seconds(max(retryAfter ?? 0, 0))
        return resend(after: pause, reason, resending, retryAfter)
    }

    private mutating func whileProcessing(
        _ reason: String,
        _ resending: Resending,
        _ retryAfter: Int?
    ) -> Action {
        recordPossibleArrival()
        guard case .mayHaveArrived(let resends, let conflicts) = state,
            conflicts < Self.conflictPauses.count, retryAfter ?? 0 <= Self.maximumRetryAfter
        else { return doubt(reason, retryAfter) }
        state = .mayHaveArrived(resends: resends, conflicts: conflicts + 1)
        let pause = max(Self.conflictPauses[conflicts], .seconds(retryAfter ?? 0))
        return resend(after: pause, reason, resending, retryAfter)
    }

    private func resend(
        after pause: Duration,
        _ reason: String,
        _ resending: Resending,
        _ retryAfter: Int?
    ) -> Action {
        .lookUp(
            ifAbsent: .resend(
                after: pause,
                reason: reason,
                resending,
                retryAfterSeconds: retryAfter
            )
        )
    }

    private func afterRejection(_ rejection: AttemptError, isCancelled: Bool) -> Action {
        switch (state, rejection) {
        case (.mayHaveArrived, .notSent(let reason, let retryAfter)),
            (.mayHaveArrived, .unproven(.notSent(let reason, let retryAfter))):
            return doubt("a repeated request could not be sent: \(reason)", retryAfter)
        case (.mayHaveArrived, _):
            return doubt(
                "the server rejected a repeated request, perhaps because the first one succeeded"
            )
        case (.firstAttempt, .notSent) where isCancelled: return .reject(.cancelled)
        case (.firstAttempt, _): return afterFirstRejection(rejection)
        }
    }

    /// A rejected change, a taken slot, and an unexplained 409 are not final without a lookup: a
    /// proxy may have sent the request twice, and then the server rejects the second copy because
    /// the first one succeeded. Nor is a rejection that a proxy may have made itself.
    private func afterFirstRejection(_ rejection: AttemptError) -> Action {
        let error = Failure(rejection, of: intent)
        return switch (rejection, intent.action) {
        case (.unproven, _): .lookUp(ifAbsent: .rejectUnproven(error))
        case (.notSent, _), (.notConfigured, _): .reject(error)
        case (.slotUnavailable, _): .lookUp(ifAbsent: .rejectConflict(error, isDecided: true))
        case (.conflict, _): .lookUp(ifAbsent: .rejectConflict(error, isDecided: false))
        case (_, .change): .lookUp(ifAbsent: .reject(error))
        case (_, .book): .reject(error)
        }
    }
}
