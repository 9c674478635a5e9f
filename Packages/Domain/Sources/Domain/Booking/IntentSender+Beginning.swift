extension IntentSender {
    /// Begins `intent` and sends it, or continues the one that it repeats.
    ///
    /// `joiningEqual` lets a request without a key of its own join an open booking that is the same.
    /// `check` is called with an intent that is continued, and throws where the request is different.
    func begin(
        _ intent: BookingIntent,
        joiningEqual: Bool,
        check: (BookingIntent) async throws(BookingError) -> Void
    ) async throws(BookingError) -> BookingConfirmation {
        let claim = try await claim(intent)
        defer { withExtendedLifetime(claim) {} }
        var intent = intent
        if case .book(let request) = intent.action {
            intent.knownBefore = .init(ledger.appointments(), at: request)
        }
        let earlier = try writing { () throws(JournalError) in
            try journal.begin(intent, joiningEqual: joiningEqual)
        }
        if let earlier {
            try await check(earlier)
            // Of a joined intent the key is a different one, which has a claim of its own.
            if earlier.key != intent.key { return try await resume(earlier) }
            return try await resume(claimed: earlier)
        }
        return try await send(intent, wasSentBefore: false)
    }

    /// The intent that a request repeats: by its key, or else an open one that is the same booking.
    func earlier(_ key: String?, like request: BookingRequest? = nil) throws(BookingError)
        -> BookingIntent?
    {
        if let key { try BookingRules.check(key: key) }
        let intents = try writing { () throws(JournalError) in try journal.intents() }
        if let key { return intents.last { $0.key == key } }
        return intents.last { intent in
            guard intent.isOpen, case .book(let earlier) = intent.action else { return false }
            return request.map(earlier.isSameBooking) ?? false
        }
    }

    /// Answers a repeated request as its first attempt ended; where the server shows that it was not
    /// done, sends it again under its key.
    func resume(_ earlier: BookingIntent) async throws(BookingError) -> BookingConfirmation {
        if case .done(let appointment) = earlier.state {
            return BookingConfirmation(appointment: appointment, key: earlier.key)
        }
        let claim = try await claim(earlier)
        defer { withExtendedLifetime(claim) {} }
        // The previous holder of the claim may have found the outcome.
        let now = try writing { () throws(JournalError) in try journal.intent(of: earlier.key) }
        return try await resume(claimed: now ?? earlier)
    }

    private func resume(
        claimed earlier: BookingIntent
    ) async throws(BookingError) -> BookingConfirmation {
        if case .done(let appointment) = earlier.state {
            return BookingConfirmation(appointment: appointment, key: earlier.key)
        }
        let fallback = AttemptSequence.Fallback(resuming: earlier, as: remote.caller)
        if let done = try await find(earlier, orElse: fallback) { return done }
        return try await send(earlier, wasSentBefore: true)
    }

    /// The appointment that ``resume(_:)`` would answer with; asks, and changes nothing.
    func preview(_ earlier: BookingIntent) async throws(BookingError) -> Appointment {
        if case .done(let appointment) = earlier.state { return appointment }
        switch try await look(for: earlier, because: Self.unanswered) {
        case .done(let appointment): return appointment
        case .absent: return earlier.action.outcome
        case .inconclusive(let reason): throw .inDoubt(earlier, reason)
        case .superseded(let now): throw BookingError(supersededBy: now, earlier)
        }
    }

    static let unanswered = "an earlier attempt was not answered"

    private func claim(_ intent: BookingIntent) async throws(BookingError) -> any IntentClaim {
        let claim: (any IntentClaim)?
        do throws(JournalError) { claim = try await claims(of: [intent.key])[intent.key] } catch {
            throw .journal(reason: error.reason)
        }
        guard let claim else { throw .inDoubt(intent, Self.busy) }
        return claim
    }

    private func writing<R>(_ body: () throws(JournalError) -> R) throws(BookingError) -> R {
        do throws(JournalError) { return try body() } catch {
            throw .journal(reason: error.reason)
        }
    }
}

extension AttemptSequence.Fallback {
    /// Whether an intent of an earlier attempt is sent again where the server does not show it.
    ///
    /// Not after a success, which may take its time to show, and not as a different caller, for whom
    /// the key would be a new one.
    init(resuming intent: BookingIntent, as caller: Caller) {
        if intent.acceptance != nil {
            self = .doubt(reason: "the server accepted an earlier attempt and does not show it")
        } else if !caller.isSame(as: intent.caller) {
            self = .doubt(reason: "it was sent with different credentials")
        } else {
            self = .resend(afterMilliseconds: 0, reason: IntentSender.unanswered)
        }
    }
}
