/// Carries intents for bookings and changes to a certain outcome: starts them, resumes them, and
/// previews what resuming would find. `IntentSender+Sending.swift` has the requests.
struct IntentSender: Sendable {
    let server: any BookingAPI
    let journal: any BookingJournal
    let ledger: any AppointmentLedger
    let counter: any ChangeCounter
    let clock: any WallClock
    let pauses: any Pausing

    /// Journals `intent` and sends it, or resumes the intent that it repeats.
    ///
    /// `joiningEqual` lets a request without a key of its own join an open booking that is the same.
    /// `check` receives an intent that is about to be resumed, and throws if the request differs.
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
        let earlier = try journaling { () throws(JournalError) in
            try journal.begin(intent, joiningEqual: joiningEqual)
        }
        guard let earlier else { return try await send(intent, wasSentBefore: false) }
        try await check(earlier)
        // A joined intent has a different key, and so a claim of its own.
        if earlier.key != intent.key { return try await resume(earlier) }
        return try await resume(claimed: earlier)
    }

    /// The intent that a request repeats: the one with its key, or without a key an open one that is
    /// the same booking.
    func earlier(_ key: String?, like request: BookingRequest? = nil) throws(BookingError)
        -> BookingIntent?
    {
        if let key { try BookingRules.check(key: key) }
        let intents = try journaling { () throws(JournalError) in try journal.intents() }
        if let key { return intents.last { $0.key == key } }
        return intents.last { intent in
            guard intent.isOpen, case .book(let earlier) = intent.action else { return false }
            return request.map(earlier.isSameBooking) ?? false
        }
    }

    /// Answers a repeated request with the outcome of its first attempt. If the server shows that it
    /// was not done, sends it again under its key.
    func resume(_ earlier: BookingIntent) async throws(BookingError) -> BookingConfirmation {
        if let confirmation = BookingConfirmation(of: earlier) { return confirmation }
        let claim = try await claim(earlier)
        defer { withExtendedLifetime(claim) {} }
        // The previous holder of the claim may have found the outcome.
        let now = try journaling { () throws(JournalError) in try journal.intent(of: earlier.key) }
        return try await resume(claimed: now ?? earlier)
    }

    private func resume(
        claimed earlier: BookingIntent
    ) async throws(BookingError) -> BookingConfirmation {
        if let confirmation = BookingConfirmation(of: earlier) { return confirmation }
        let fallback = AttemptSequence.Fallback(resuming: earlier, as: server.caller)
        if let found = try await confirmation(of: earlier, orElse: fallback) { return found }
        return try await send(earlier, wasSentBefore: true)
    }

    /// What ``resume(_:)`` would do. Throws what that would throw, as far as it can be known. Asks the
    /// server and changes nothing.
    func preview(_ earlier: BookingIntent) async throws(BookingError) -> BookingPreview {
        if case .done(let appointment) = earlier.state {
            return BookingPreview(repeating: earlier, found: appointment)
        }
        switch try await lookUp(earlier, because: Self.unanswered) {
        case .done(let appointment): return BookingPreview(repeating: earlier, found: appointment)
        case .absent:
            let fallback = AttemptSequence.Fallback(resuming: earlier, as: server.caller)
            if case .doubt(let reason, _) = fallback { throw .inDoubt(earlier, reason) }
            return BookingPreview(repeating: earlier, found: nil)
        case .inconclusive(let reason): throw .inDoubt(earlier, reason)
        case .superseded(let now): throw BookingError(supersededBy: now, earlier)
        }
    }

    /// Throws if the journal cannot be written. Creates its directory.
    func checkJournal() throws(BookingError) {
        try journaling { () throws(JournalError) in try journal.checkWritable() }
    }

    private func journaling<R>(
        _ body: () throws(JournalError) -> R
    ) throws(BookingError) -> R {
        do throws(JournalError) { return try body() } catch {
            throw .journal(reason: error.reason)
        }
    }
}

extension IntentSender {
    static let unanswered = "an earlier attempt was not answered"
    static let busy = "it is being sent or resolved right now; ask again in a moment"

    /// How long to wait for a claim that is held elsewhere: long enough for the resolution at the
    /// start of a program.
    private static let claimPauses: [Duration] = [10, 20, 50, 100, 200, 400, 800, 1_600].map {
        .milliseconds($0)
    }

    /// Claims the intents of `keys`, and waits a moment for those that are claimed elsewhere. Returns
    /// the claims that it got.
    func claims(of keys: [String]) async throws(JournalError) -> [String: any IntentClaim] {
        var claims: [String: any IntentClaim] = [:]
        var pauses = Self.claimPauses[...]
        while true {
            for key in keys where claims[key] == nil { claims[key] = try journal.claim(key) }
            guard claims.count < keys.count, let pause = pauses.popFirst() else { return claims }
            do throws(CancellationError) {
                try await self.pauses.pause(for: pause)
            } catch {
                return claims
            }
        }
    }

    private func claim(_ intent: BookingIntent) async throws(BookingError) -> any IntentClaim {
        let claim: (any IntentClaim)?
        do throws(JournalError) { claim = try await claims(of: [intent.key])[intent.key] } catch {
            throw .journal(reason: error.reason)
        }
        guard let claim else { throw .inDoubt(intent, Self.busy) }
        return claim
    }
}

extension BookingConfirmation {
    /// The confirmation that `intent` got earlier; nil unless it is done.
    fileprivate init?(of intent: BookingIntent) {
        guard case .done(let appointment) = intent.state else { return nil }
        self.init(appointment: appointment, key: intent.key)
    }
}
