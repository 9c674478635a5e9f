/// What booking and changing have in common once it is known what is wanted: the intent is written
/// down and sent, and looked up before anything is said that is not certain.
struct IntentSender: Sendable {
    let remote: any BookingRemote
    let journal: any BookingJournal
    let ledger: any AppointmentLedger

    private static let attempts = 2

    /// Sends a written intent, and once more under the same key when no answer came.
    ///
    /// `wasSentBefore` tells that an earlier attempt of this intent may have arrived, so that a
    /// refusal may be caused by ourselves.
    func send(_ intent: BookingIntent, wasSentBefore: Bool = false) async throws(BookingError)
        -> Booked
    {
        var mayHaveArrived = wasSentBefore
        var reason = "no answer"
        for _ in 0..<Self.attempts {
            do throws(BookingRemoteError) {
                let echo = try await attempt(intent)
                if intent.action.isDone(by: echo) { return confirm(echo, of: intent) }
                mayHaveArrived = true
                reason = "the remote echoed something else than it was asked for"
            } catch {
                let isOurs = try await settleRefusal(error, of: intent, mayHaveArrived)
                if let isOurs { return isOurs }
                if case .unanswered(let why) = error { (mayHaveArrived, reason) = (true, why) }
            }
            if Task.isCancelled { throw .inDoubt(intent, reason) }
        }
        return try await lookUp(intent, because: reason)
    }

    private func attempt(_ intent: BookingIntent) async throws(BookingRemoteError) -> Appointment {
        switch intent.action {
        case .book(let request): return try await remote.book(request, key: intent.key)
        case .change(let change):
            return try await remote.change(change, key: intent.key) ?? change.outcome
        }
    }

    /// Handles every end of an attempt but silence: throws for a clear no, gives the appointment
    /// where the no was caused by an earlier attempt of ours, and nil where another attempt may be
    /// made.
    private func settleRefusal(
        _ refusal: BookingRemoteError,
        of intent: BookingIntent,
        _ mayHaveArrived: Bool
    ) async throws(BookingError) -> Booked? {
        var error = BookingError(refusal, of: intent)
        switch refusal {
        case .unanswered: return nil
        case .notSent(let reason, _) where mayHaveArrived:
            return try await lookUp(intent, because: reason)
        case _ where mayHaveArrived:
            let reason = "the remote refused it, perhaps since it was done before"
            switch try await look(for: intent, because: reason) {
            case .done(let appointment): return confirm(appointment, of: intent)
            case .overtaken(let now): error = BookingError(overtakenBy: now, intent)
            case .notShown:
                // A list that shows the version that the remote denies lags behind, and tells nothing.
                if case .versionConflict = refusal { throw .inDoubt(intent, reason) }
            }
        case .versionConflict(nil): error = .versionConflict(current: await current(intent))
        default: break
        }
        try? journal.settle(intent, as: .dropped)
        throw error
    }

    /// Keeps what the remote confirmed, and closes its intent.
    ///
    /// It stands whatever fails here: a cache error is told with it, and an intent that stays open
    /// is found again by the next resolution.
    func confirm(_ appointment: Appointment, of intent: BookingIntent) -> Booked {
        var booked = Booked(appointment: appointment, key: intent.key)
        do throws(CacheError) { try ledger.add(appointment) } catch { booked.cacheError = error }
        try? journal.settle(intent, as: .done(appointment))
        return booked
    }
}
