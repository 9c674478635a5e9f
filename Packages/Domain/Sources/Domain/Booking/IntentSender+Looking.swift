extension IntentSender {
    /// Writes `intent` down; gives the one of its key that is there already, in its place.
    func begin(_ intent: BookingIntent) throws(BookingError) -> BookingIntent? {
        do throws(JournalError) {
            return try journal.begin(intent)
        } catch {
            throw .journal(reason: error.reason)
        }
    }

    /// The intent that `key` was used for before.
    func earlier(_ key: String?) throws(BookingError) -> BookingIntent? {
        guard let key else { return nil }
        try BookingRules.check(key: key)
        do throws(JournalError) {
            return try journal.intent(of: key)
        } catch {
            throw .journal(reason: error.reason)
        }
    }

    /// Answers a repeated request: as its first attempt ended, or, where the remote shows that it
    /// was not done, by taking it up again.
    func answerAgain(_ earlier: BookingIntent) async throws(BookingError) -> Booked {
        if case .done(let appointment) = earlier.state {
            return Booked(appointment: appointment, key: earlier.key)
        }
        if let done = try await find(earlier, because: Self.unanswered) { return done }
        return try await send(earlier, wasSentBefore: true)
    }

    /// The appointment that ``answerAgain(_:)`` would answer with; asks, and changes nothing.
    func foresee(_ earlier: BookingIntent) async throws(BookingError) -> Appointment {
        if case .done(let appointment) = earlier.state { return appointment }
        switch try await look(for: earlier, because: Self.unanswered) {
        case .done(let appointment): return appointment
        case .notShown: return earlier.action.outcome
        case .overtaken(let now): throw BookingError(overtakenBy: now, earlier)
        }
    }

    func lookUp(_ intent: BookingIntent, because reason: String) async throws(BookingError)
        -> Booked
    {
        if let done = try await find(intent, because: reason) { return done }
        throw .inDoubt(intent, reason)
    }

    /// What the remote holds tells of `intent`; in doubt where it cannot be asked.
    func look(
        for intent: BookingIntent,
        because reason: String
    ) async throws(BookingError) -> BookingAction.Evidence {
        do throws(RemoteError) {
            return intent.action.evidence(in: try await remote.appointments())
        } catch {
            throw .inDoubt(intent, "\(reason); looking it up: \(error)")
        }
    }

    /// The appointment of `intent` as it is now, where the remote tells.
    func current(_ intent: BookingIntent) async -> Appointment? {
        guard let id = intent.action.outcome.id else { return nil }
        return try? await remote.appointments().first { $0.id == id }
    }

    private static let unanswered = "an earlier attempt was not answered"

    /// Confirms `intent` where the remote shows that it was done, and drops it where that shows that
    /// it cannot be any more; nil when neither is shown.
    private func find(_ intent: BookingIntent, because reason: String) async throws(BookingError)
        -> Booked?
    {
        switch try await look(for: intent, because: reason) {
        case .done(let appointment): return confirm(appointment, of: intent)
        case .notShown: return nil
        case .overtaken(let now):
            try? journal.settle(intent, as: .dropped)
            throw BookingError(overtakenBy: now, intent)
        }
    }
}
