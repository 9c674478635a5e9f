extension IntentSender {
    /// Sends an intent that is in the journal and claimed by the caller.
    ///
    /// `wasSentBefore` tells that an earlier attempt of this intent may have arrived.
    func send(_ intent: BookingIntent, wasSentBefore: Bool) async throws(BookingError)
        -> BookingConfirmation
    {
        var sequence = AttemptSequence(of: intent, wasSentBefore: wasSentBefore)
        var intent = intent
        // The record of a new intent is also that of its first attempt.
        if wasSentBefore { try recordAttempt(of: &intent) }
        while true {
            let fallback: AttemptSequence.Fallback
            switch await attempt(&intent, in: &sequence) {
            case .confirm(let appointment): return confirm(appointment, of: intent)
            case .reject(let error): throw reject(intent, error)
            case .lookUp(let ifAbsent): fallback = ifAbsent
            }
            if let found = try await confirmation(of: intent, orElse: fallback) { return found }
            try await prepareResending(&intent, fallback)
        }
    }

    /// Makes one request, and records an answer that accepts it without confirming it.
    private func attempt(
        _ intent: inout BookingIntent,
        in sequence: inout AttemptSequence
    ) async -> AttemptSequence.Action {
        // A list that was requested before the change must not be cached after it.
        counter.advance()
        do throws(BookingServerError) {
            let echo: ReportedAppointment
            switch intent.action {
            case .book(let request): echo = try await server.book(request, key: intent.key)
            case .change(let change): echo = try await server.change(change, key: intent.key)
            }
            let action = sequence.receive(echo)
            if case .confirm = action { return action }
            recordAcceptance(BookingIntent.Acceptance(id: echo.id), of: &intent)
            return action
        } catch {
            if case .accepted(_, let id) = error {
                recordAcceptance(BookingIntent.Acceptance(id: id), of: &intent)
            }
            if case .notSent = error, Task.isCancelled { return .reject(.cancelled) }
            return sequence.receive(error)
        }
    }

    /// If this cannot be written, the outcome is unknown all the same, and the next lookup finds it.
    private func recordAcceptance(
        _ acceptance: BookingIntent.Acceptance,
        of intent: inout BookingIntent
    ) {
        try? journal.record(.accepted(acceptance), of: intent)
        intent = intent.applying(.accepted(acceptance))
    }

    private func recordAttempt(of intent: inout BookingIntent) throws(BookingError) {
        let event = IntentEvent.attempt(at: clock.now)
        do throws(JournalError) {
            try journal.record(event, of: intent)
        } catch {
            throw .inDoubt(intent, "the journal could not be written: \(error.reason)")
        }
        intent = intent.applying(event)
    }

    /// Waits as `fallback` asks, and records the next attempt.
    private func prepareResending(
        _ intent: inout BookingIntent,
        _ fallback: AttemptSequence.Fallback
    ) async throws(BookingError) {
        guard case .resend(let pause, let reason) = fallback else { return }
        do throws(CancellationError) {
            if pause > .zero { try await pauses.pause(for: pause) }
        } catch {
            throw .inDoubt(intent, reason)
        }
        try recordAttempt(of: &intent)
    }
}

extension IntentSender {
    /// Looks up the outcome of `intent`. Returns its confirmation, or nil if it is to be sent again.
    func confirmation(
        of intent: BookingIntent,
        orElse fallback: AttemptSequence.Fallback
    ) async throws(BookingError) -> BookingConfirmation? {
        let (doubt, retryAfter) = fallback.doubt
        switch try await lookUp(intent, because: doubt, retryAfter) {
        case .done(let appointment): return confirm(appointment, of: intent)
        case .superseded(let now): throw reject(intent, BookingError(supersededBy: now, intent))
        case .inconclusive(let why): throw .inDoubt(intent, "\(doubt); \(why)", retryAfter)
        case .absent(let shown):
            switch fallback {
            case .reject(.versionConflict(nil)):
                throw reject(intent, .versionConflict(current: shown))
            case .reject(let error): throw reject(intent, error)
            case .doubt(let reason, let retryAfter): throw .inDoubt(intent, reason, retryAfter)
            case .resend: return nil
            }
        }
    }

    /// What the server's list says about `intent`. Throws `inDoubt` if the server cannot be asked.
    func lookUp(
        _ intent: BookingIntent,
        because reason: String,
        _ retryAfter: Int? = nil
    ) async throws(BookingError) -> Evidence {
        do throws(ServerError) {
            let list = try await server.lookUp()
            // The appointments of other intents are not evidence.
            let others = ((try? journal.intents()) ?? []).filter { $0.key != intent.key }
            return Evidence(list, about: intent, others: others)
        } catch {
            throw .inDoubt(intent, "\(reason); looking it up failed: \(error)", retryAfter)
        }
    }

    /// Caches what the server confirmed, and closes the intent.
    ///
    /// The confirmation stands whatever fails here: a cache error is reported with it, and an intent
    /// that stays open is found by the next resolution.
    func confirm(_ appointment: Appointment, of intent: BookingIntent) -> BookingConfirmation {
        var confirmation = BookingConfirmation(appointment: appointment, key: intent.key)
        counter.advance()
        do throws(CacheError) {
            try ledger.add(appointment)
        } catch {
            confirmation.cacheError = error
        }
        try? journal.record(.outcome(.done(appointment)), of: intent)
        return confirmation
    }

    /// Closes an intent that is certainly not done.
    private func reject(_ intent: BookingIntent, _ error: BookingError) -> BookingError {
        try? journal.record(.outcome(.dropped), of: intent)
        return error
    }
}

extension AttemptSequence.Fallback {
    /// Whether a resumed intent is sent again if the server does not show it.
    ///
    /// Not after a success, which may take time to appear, and not for a different caller, to whom
    /// the key would be new.
    init(resuming intent: BookingIntent, as caller: Caller) {
        if intent.acceptance != nil {
            self = .doubt(reason: "the server accepted an earlier attempt and does not show it")
        } else if !caller.isSame(as: intent.caller) {
            self = .doubt(reason: "it was sent with different credentials")
        } else {
            self = .resend(after: .zero, reason: IntentSender.unanswered)
        }
    }

    /// What to report if the server cannot be asked.
    fileprivate var doubt: (reason: String, retryAfterSeconds: Int?) {
        switch self {
        case .reject: ("the server rejected it", nil)
        case .resend(_, let reason): (reason, nil)
        case .doubt(let reason, let seconds): (reason, seconds)
        }
    }
}
