extension IntentSender {
    /// Sends an intent until its outcome is known or in doubt. The intent must be in the journal,
    /// and the caller must hold its claim.
    ///
    /// `wasSentBefore` means that an earlier attempt of this intent may have arrived.
    func send(_ intent: BookingIntent, wasSentBefore: Bool) async throws(BookingError)
        -> BookingConfirmation
    {
        var sequence = AttemptSequence(of: intent, wasSentBefore: wasSentBefore)
        var intent = intent
        // The journal's record of a new intent also records its first attempt.
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

    /// Sends one request. Records a 2xx response that does not confirm it.
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

    /// A failed write is ignored: the outcome is in doubt with or without it, and a later lookup
    /// can still confirm the intent.
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

    /// Waits for the pause that `fallback` states, and records the next attempt.
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
    /// Looks up the outcome of `intent`. Returns its confirmation, or nil if it should be sent
    /// again.
    func confirmation(
        of intent: BookingIntent,
        orElse fallback: AttemptSequence.Fallback
    ) async throws(BookingError) -> BookingConfirmation? {
        let (doubt, retryAfter) = fallback.doubt
        switch try await lookUp(intent, because: doubt, retryAfter) {
        case .done(let appointment): return confirm(appointment, of: intent)
        case .superseded(let current):
            throw reject(intent, BookingError(supersededBy: current, intent))
        case .inconclusive(let reason): throw .inDoubt(intent, "\(doubt); \(reason)", retryAfter)
        case .absent(let current):
            switch fallback {
            case .reject(.versionConflict(nil)):
                throw reject(intent, .versionConflict(current: current))
            case .reject(let error): throw reject(intent, error)
            case .doubt(let reason, let retryAfter): throw .inDoubt(intent, reason, retryAfter)
            case .resend: return nil
            }
        }
    }

    /// Looks up the server's appointments and evaluates them as evidence about `intent`. Throws
    /// `inDoubt` if the lookup fails.
    func lookUp(
        _ intent: BookingIntent,
        because reason: String,
        _ retryAfter: Int? = nil
    ) async throws(BookingError) -> Evidence {
        do throws(ServerError) {
            let otherIntents = ((try? journal.intents()) ?? []).filter { $0.key != intent.key }
            func evidence(_ list: ReportedAppointments) -> Evidence {
                Evidence(list, about: intent, otherIntents: otherIntents)
            }
            return evidence(try await lookUp { evidence($0).isDone })
        } catch {
            throw .inDoubt(intent, "\(reason); looking it up failed: \(error)", retryAfter)
        }
    }

    /// Requests the server's appointments. A list that may precede the request is requested once
    /// more after a pause, unless `isSufficient` accepts it as an incomplete one. The second list is
    /// newer than this call.
    func lookUp(
        unless isSufficient: (ReportedAppointments) -> Bool = { _ in false }
    ) async throws(ServerError) -> ReportedAppointments {
        var list = try await server.lookUp()
        guard list.mayPrecedeRequest else { return list }
        list.isComplete = false
        if isSufficient(list) { return list }
        do throws(CancellationError) {
            try await pauses.pause(for: .seconds(2))
        } catch {
            return list
        }
        return try await server.lookUp()
    }

    /// Caches the confirmed appointment and closes the intent.
    ///
    /// A failure here does not affect the confirmation. A cache error is part of the result. An
    /// intent that could not be closed is closed by the next resolution.
    func confirm(_ appointment: Appointment, of intent: BookingIntent) -> BookingConfirmation {
        var confirmation = BookingConfirmation(appointment: appointment, key: intent.key)
        counter.advance()
        do throws(CacheError) {
            try cache.add(appointment)
        } catch {
            confirmation.cacheError = error
        }
        try? journal.record(.outcome(.done(appointment)), of: intent)
        return confirmation
    }

    /// Closes an intent that was certainly not done.
    private func reject(_ intent: BookingIntent, _ error: BookingError) -> BookingError {
        try? journal.record(.outcome(.dropped), of: intent)
        return error
    }
}

extension AttemptSequence.Fallback {
    /// Decides whether a resumed intent is sent again if the server does not list its appointment.
    ///
    /// It is not sent again after a 2xx response, because the appointment may take time to appear.
    /// Nor is it sent by a different caller, for whom the server would treat the key as new.
    init(resuming intent: BookingIntent, as caller: Caller) {
        if intent.acceptance != nil {
            self = .doubt(reason: "the server accepted an earlier attempt but does not list it")
        } else if !caller.isSame(as: intent.caller) {
            self = .doubt(reason: "it was sent with different credentials")
        } else {
            self = .resend(after: .zero, reason: IntentSender.noResponse)
        }
    }

    /// What to report if the lookup fails.
    fileprivate var doubt: (reason: String, retryAfterSeconds: Int?) {
        switch self {
        case .reject: ("the server rejected it", nil)
        case .resend(_, let reason): (reason, nil)
        case .doubt(let reason, let seconds): (reason, seconds)
        }
    }
}
