/// Sends intents for bookings and changes, and reports an outcome only when it is certain.
struct IntentSender: Sendable {
    let remote: any BookingRemote
    let journal: any BookingJournal
    let ledger: any AppointmentLedger
    let counter: any ChangeCounter
    let clock: any WallClock
    let pauses: any Pausing

    /// Sends an intent that the journal holds and that is claimed by the caller.
    ///
    /// `wasSentBefore` tells that an earlier attempt of this intent may have arrived.
    func send(_ intent: BookingIntent, wasSentBefore: Bool) async throws(BookingError)
        -> BookingConfirmation
    {
        var sequence = AttemptSequence(of: intent, wasSentBefore: wasSentBefore)
        var intent = intent
        // The record of a new intent is that of its first attempt.
        if wasSentBefore { try noteAttempt(of: &intent) }
        while true {
            let action = await attempt(&intent, in: &sequence)
            let fallback: AttemptSequence.Fallback
            switch action {
            case .confirm(let appointment): return confirm(appointment, of: intent)
            case .reject(let error): throw reject(intent, error)
            case .lookUp(let ifAbsent): fallback = ifAbsent
            }
            if let done = try await find(intent, orElse: fallback) { return done }
            try await prepareResending(&intent, fallback)
        }
    }

    /// Makes one request, and notes an answer that accepts it without confirming it.
    private func attempt(
        _ intent: inout BookingIntent,
        in sequence: inout AttemptSequence
    ) async -> AttemptSequence.Action {
        // Lists that are under way from before the change must not be cached after it.
        counter.advance()
        do throws(BookingRemoteError) {
            let echo = try await transmit(intent)
            let action = sequence.receive(echo)
            if case .confirm = action { return action }
            noteAcceptance(BookingIntent.Acceptance(id: echo.id), of: &intent)
            return action
        } catch {
            if case .accepted(_, let id) = error {
                noteAcceptance(BookingIntent.Acceptance(id: id), of: &intent)
            }
            if case .notSent = error, Task.isCancelled { return .reject(.cancelled) }
            return sequence.receive(error)
        }
    }

    private func transmit(
        _ intent: BookingIntent
    ) async throws(BookingRemoteError) -> ReportedAppointment {
        switch intent.action {
        case .book(let request): try await remote.book(request, key: intent.key)
        case .change(let change): try await remote.change(change, key: intent.key)
        }
    }

    /// Without the record the outcome is still unknown: it is lost at worst until the next lookup.
    private func noteAcceptance(
        _ acceptance: BookingIntent.Acceptance,
        of intent: inout BookingIntent
    ) {
        try? journal.record(.accepted(acceptance), of: intent)
        intent = intent.applying(.accepted(acceptance))
    }

    private func noteAttempt(of intent: inout BookingIntent) throws(BookingError) {
        let event = IntentEvent.attempt(at: clock.now)
        do throws(JournalError) {
            try journal.record(event, of: intent)
        } catch {
            throw .inDoubt(intent, "the journal could not be written: \(error.reason)")
        }
        intent = intent.applying(event)
    }

    /// Waits as `fallback` asks, and writes the next attempt down.
    private func prepareResending(
        _ intent: inout BookingIntent,
        _ fallback: AttemptSequence.Fallback
    ) async throws(BookingError) {
        guard case .resend(let milliseconds, let reason) = fallback else { return }
        do throws(CancellationError) {
            if milliseconds > 0 { try await pauses.pause(milliseconds: milliseconds) }
        } catch {
            throw .inDoubt(intent, reason)
        }
        try noteAttempt(of: &intent)
    }
}

extension IntentSender {
    /// Stores what the server confirmed, and closes its intent.
    ///
    /// The confirmation stands whatever fails here: a cache error is reported with it, and an intent
    /// that stays open is found again by the next resolution.
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
    func reject(_ intent: BookingIntent, _ error: BookingError) -> BookingError {
        try? journal.record(.outcome(.dropped), of: intent)
        return error
    }
}
