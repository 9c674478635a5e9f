extension IntentSender {
    /// Sends an intent until its outcome is known or in doubt. The intent must be in the journal,
    /// and the caller must hold its claim.
    ///
    /// `isResumed` means that it was sent earlier.
    func send(_ intent: BookingIntent, isResumed: Bool = false) async throws(Failure)
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
            let (action, showsKey) = await attempt(&intent, in: &sequence)
            switch action {
            case .confirm(let appointment):
                return confirm(appointment, of: intent, showsKey: showsKey)
            case .reject(let error): throw reject(intent, error)
            case .lookUp(let ifAbsent): fallback = ifAbsent
            }
            if let found = try await confirmation(of: intent, orElse: fallback) { return found }
            try await prepareResending(&intent, fallback)
        }
    }

    /// Sends one request. Records a 2xx response that does not confirm it. Also returns whether the
    /// response shows the key.
    private func attempt(
        _ intent: inout BookingIntent,
        in sequence: inout AttemptSequence
    ) async -> (action: AttemptSequence.Action, showsKey: Bool) {
        // A list that was requested before the change must not be cached after it.
        counter.advance()
        CallBudget.current?.reserveLookup()
        defer { CallBudget.current?.release() }
        do {
            let echo: ReportedAppointment
            switch intent.action {
            case .book(let request): echo = try await server.book(request, key: intent.key)
            case .change(let change): echo = try await server.change(change, key: intent.key)
            }
            let showsKey = echo.idempotencyKey == intent.key
            let action = sequence.receive(echo, claimed: claimedIDs(by: intent, about: echo))
            if case .confirm = action { return (action, showsKey) }
            // The id in an error need not be that of an appointment.
            let id = echo.error == nil ? echo.id : nil
            recordAcceptance(BookingIntent.Acceptance(id: id), of: &intent)
            return (action, showsKey)
        } catch {
            if case .accepted(_, let id) = error {
                recordAcceptance(BookingIntent.Acceptance(id: id), of: &intent)
            }
            return (sequence.receive(error, isCancelled: Task.isCancelled), false)
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

    /// Records a 2xx response that does not confirm the intent. A failed write is ignored: the
    /// outcome is in doubt with or without it, and a later lookup can still confirm the intent.
    private func recordAcceptance(
        _ acceptance: BookingIntent.Acceptance,
        of intent: inout BookingIntent
    ) {
        try? journal.record(.accepted(acceptance), of: intent)
        intent = intent.applying(.accepted(acceptance))
    }

    private func recordAttempt(of intent: inout BookingIntent) throws(Failure) {
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
    ) async throws(Failure) {
        guard case .resend(let pause, let reason, _, let retryAfter) = fallback else { return }
        if pause > .zero {
            // A server that is asked too early is not asked at all.
            if let budget = CallBudget.current, budget.remaining <= pause {
                throw .inDoubt(intent, reason, retryAfter)
            }
            try await self.pause(for: pause, sending: intent, reason)
        }
        try recordAttempt(of: &intent)
    }

    /// Pauses. Throws `inDoubt` if the caller cancels the request.
    func pause(
        for duration: Duration,
        sending intent: BookingIntent,
        _ reason: String
    ) async throws(Failure) {
        do {
            try await pause(for: duration)
        } catch {
            throw .inDoubt(intent, reason)
        }
    }

    /// Pauses. The pause is a part of the call's time.
    func pause(for duration: Duration) async throws(CancellationError) {
        try await pauses.pause(for: duration)
        CallBudget.current?.consume(duration)
    }

    /// Caches the confirmed appointment and closes the intent. `showsKey` means that the server showed
    /// the intent's key.
    ///
    /// A failure here does not affect the confirmation. A cache error is part of the result. An
    /// intent that could not be closed is closed by the next resolution.
    func confirm(
        _ appointment: Appointment,
        of intent: BookingIntent,
        showsKey: Bool
    ) -> BookingConfirmation {
        var confirmation = BookingConfirmation(appointment: appointment, key: intent.key)
        counter.advance()
        do {
            try cache.add(appointment)
        } catch {
            confirmation.cacheError = Failure.cache(.insertion, error)
        }
        try? journal.record(.outcome(.done(appointment), showsKey: showsKey), of: intent)
        return confirmation
    }

    /// Closes an intent that was certainly not done. If an earlier attempt was rejected without
    /// proof, the intent stays open.
    func reject(_ intent: BookingIntent, _ error: Failure) -> Failure {
        if intent.wasRejected { return rejectUnproven(intent, error) }
        try? journal.record(.outcome(.dropped), of: intent)
        return error
    }

    /// Records that an intent was rejected without proof. The intent stays open: if a proxy sent a
    /// second copy of the request, or made the rejection itself, the appointment may still appear.
    func rejectUnproven(_ intent: BookingIntent, _ error: Failure) -> Failure {
        try? journal.record(.rejected, of: intent)
        return error
    }

    /// All other intents in the journal; none if it cannot be read.
    func intents(except intent: BookingIntent) -> [BookingIntent] {
        ((try? journal.intents()) ?? []).filter { $0.key != intent.key }
    }
}
