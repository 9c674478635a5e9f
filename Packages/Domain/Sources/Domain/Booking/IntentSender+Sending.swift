extension IntentSender {
    /// Sends an intent until its outcome is known or in doubt. The intent must be in the journal,
    /// and the caller must hold its claim.
    ///
    /// `isResumed` means that it was sent earlier.
    func send(_ intent: BookingIntent, isResumed: Bool = false) async throws(BookingError)
        -> BookingConfirmation
    {
        var sequence = AttemptSequence(
            of: intent,
            wasSentBefore: isResumed && !intent.isRejected
        )
        var intent = intent
        // The journal's record of a new intent also records its first attempt.
        if isResumed { try recordAttempt(of: &intent) }
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
        do {
            let echo: ReportedAppointment
            switch intent.action {
            case .book(let request): echo = try await server.book(request, key: intent.key)
            case .change(let change): echo = try await server.change(change, key: intent.key)
            }
            let action = sequence.receive(echo, claimed: claimedIDs(by: intent, about: echo))
            if case .confirm = action { return action }
            // The id in an error need not be that of an appointment.
            let id = echo.error == nil ? echo.id : nil
            recordAcceptance(BookingIntent.Acceptance(id: id), of: &intent)
            return action
        } catch {
            if case .accepted(_, let id) = error {
                recordAcceptance(BookingIntent.Acceptance(id: id), of: &intent)
            }
            return sequence.receive(error, isCancelled: Task.isCancelled)
        }
    }

    /// The ids of the appointments of other intents. Reads the journal only if `echo` does not name
    /// the key of `intent`.
    private func claimedIDs(
        by intent: BookingIntent,
        about echo: ReportedAppointment
    ) -> Set<String> {
        guard echo.id != nil, echo.idempotencyKey != intent.key else { return [] }
        return BookingIntent.KnownAppointments.ids(of: intents(except: intent))
    }

    /// All other intents in the journal; none if it cannot be read.
    private func intents(except intent: BookingIntent) -> [BookingIntent] {
        ((try? journal.intents()) ?? []).filter { $0.key != intent.key }
    }

    /// Records a 2xx response that does not confirm the intent. A failed write is ignored: the
    /// outcome is in doubt with or without it, and a later lookup can still confirm the intent.
    private func recordAcceptance(
        _ acceptance: BookingIntent.Acceptance,
        of intent: inout BookingIntent
    ) {
        try? journal.record(.accepted(acceptance), of: intent)
        intent = intent.applying(.accepted(acceptance))
    }

    private func recordAttempt(of intent: inout BookingIntent) throws(BookingError) {
        let event = IntentEvent.attempt(at: clock.now)
        do {
            try journal.record(event, of: intent)
        } catch {
            throw .inDoubt(intent, "the journal could not be written: \(error)")
        }
        intent = intent.applying(event)
    }

    /// Waits for the pause that `fallback` states, and records the next attempt.
    private func prepareResending(
        _ intent: inout BookingIntent,
        _ fallback: AttemptSequence.Fallback
    ) async throws(BookingError) {
        guard case .resend(let pause, let reason) = fallback else { return }
        if pause > .zero { try await self.pause(for: pause, sending: intent, reason) }
        try recordAttempt(of: &intent)
    }

    /// Pauses. Throws `inDoubt` if the caller cancels the request.
    private func pause(
        for duration: Duration,
        sending intent: BookingIntent,
        _ reason: String
    ) async throws(BookingError) {
        do {
            try await pauses.pause(for: duration)
        } catch {
            throw .inDoubt(intent, reason)
        }
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
        let (evidence, list) = try await lookUp(intent, because: doubt, retryAfter)
        switch evidence {
        case .done(let appointment): return confirm(appointment, of: intent)
        case .superseded(let current):
            throw reject(intent, BookingError(supersededBy: current, intent))
        case .inconclusive(let reason): throw .inDoubt(intent, "\(doubt); \(reason)", retryAfter)
        case .absent(let current):
            switch fallback {
            case .reject(.versionConflict(nil)):
                throw reject(intent, .versionConflict(current: current))
            case .reject(let error): throw reject(intent, error)
            case .rejectConflict(let error, let isDecided):
                if isDecided || intent.isTaken(in: list) {
                    throw rejectConflict(intent, error)
                }
                try await pause(for: .seconds(2), sending: intent, doubt)
                return try await confirmation(
                    of: intent,
                    orElse: .rejectConflict(error, isDecided: true)
                )
            case .doubt(let reason, let retryAfter): throw .inDoubt(intent, reason, retryAfter)
            case .resend:
                if isProof(ofAbsence: intent, current) { return nil }
                throw .inDoubt(intent, "\(doubt); \(BookingIntent.unlisted)", retryAfter)
            }
        }
    }

    /// Whether a list that does not show `intent` proves that it was not done. For a change, the
    /// list shows `current`, the unchanged appointment, which is proof; a booking may be unlisted.
    func isProof(ofAbsence intent: BookingIntent, _ current: Appointment?) -> Bool {
        current != nil || !intent.mayBeUnlisted(at: clock.now)
    }

    /// Looks up the server's appointments and evaluates them as evidence about `intent`. Throws
    /// `inDoubt` if the lookup fails.
    func lookUp(
        _ intent: BookingIntent,
        because reason: String,
        _ retryAfter: Int? = nil
    ) async throws(BookingError) -> (evidence: Evidence, list: ReportedAppointments) {
        do {
            let otherIntents = intents(except: intent)
            func evidence(_ list: ReportedAppointments) -> Evidence {
                Evidence(list, about: intent, otherIntents: otherIntents, now: clock.now)
            }
            let list = try await lookUp { evidence($0).isDone }
            return (evidence(list), list)
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
        do {
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
        do {
            try cache.add(appointment)
        } catch {
            confirmation.cacheError = CacheError(.insertion, error)
        }
        try? journal.record(.outcome(.done(appointment)), of: intent)
        return confirmation
    }

    /// Closes an intent that was certainly not done. If an earlier attempt was rejected because of
    /// a conflict, the intent stays open.
    private func reject(_ intent: BookingIntent, _ error: BookingError) -> BookingError {
        if intent.wasRejected { return rejectConflict(intent, error) }
        try? journal.record(.outcome(.dropped), of: intent)
        return error
    }

    /// Records that the server rejected an intent because of a conflict. The intent stays open: if a
    /// proxy sent a second copy of the request, the appointment may still appear.
    private func rejectConflict(_ intent: BookingIntent, _ error: BookingError) -> BookingError {
        try? journal.record(.rejected, of: intent)
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
            self = .doubt(reason: "the server accepted an earlier attempt but does not show it")
        } else if !caller.isSame(as: intent.caller) {
            self = .doubt(reason: "it was sent with different credentials")
        } else {
            self = .resend(after: .zero, reason: IntentSender.noResponse)
        }
    }

    /// What to report if the lookup fails.
    fileprivate var doubt: (reason: String, retryAfterSeconds: Int?) {
        switch self {
        case .reject, .rejectConflict: ("the server rejected it", nil)
        case .resend(_, let reason): (reason, nil)
        case .doubt(let reason, let seconds): (reason, seconds)
        }
    }
}

extension BookingIntent {
    /// Whether `list` shows a different appointment at the requested time.
    fileprivate func isTaken(in list: ReportedAppointments) -> Bool {
        action.name != .cancel && list.showsOther(at: action.outcome)
    }
}
