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

// Looks up the outcomes of intents in the server's appointments.
extension IntentSender {
    /// The pauses before the lookups of a request that may still be running: it is looked up 1, 3, 7,
    /// and 15 seconds after the first lookup.
    private static let lookupPauses: [Duration] = [
        .seconds(1), .seconds(2), .seconds(4), .seconds(8),
    ]

    /// Looks up the outcome of `intent`. Returns its confirmation, or nil if it should be sent
    /// again.
    func confirmation(
        of intent: BookingIntent,
        orElse fallback: AttemptSequence.Fallback
    ) async throws(Failure) -> BookingConfirmation? {
        let (evidence, list): (Evidence, ReportedAppointments)
        do {
            (evidence, list) = try await lookUp(intent)
        } catch {
            return try await afterFailedLookup(of: intent, error, fallback)
        }
        switch evidence {
        case .done(let appointment):
            return confirm(appointment, of: intent, showsKey: list.shows(keyOf: [intent]))
        case .superseded(let current):
            throw reject(intent, Failure(supersededBy: current, intent))
        case .inconclusive(let reason):
            return try await afterInconclusiveLookup(of: intent, reason, fallback)
        case .absent(let current):
            return try await ifAbsent(intent, current, list, fallback)
        }
    }

    /// Acts according to `fallback`, because `list` does not show `intent`. Returns nil if it should
    /// be sent again.
    private func ifAbsent(
        _ intent: BookingIntent,
        _ current: Appointment?,
        _ list: ReportedAppointments,
        _ fallback: AttemptSequence.Fallback
    ) async throws(Failure) -> BookingConfirmation? {
        let isProof = isProof(ofAbsence: intent, current)
        let (doubt, retryAfter) = fallback.doubt
        switch fallback {
        case .reject(let error): throw reject(intent, error.adding(current))
        case .rejectUnproven(let error):
            guard isProof else { throw .inDoubt(intent, "\(doubt); \(BookingIntent.unlisted)") }
            throw rejectUnproven(intent, error.adding(current))
        case .rejectConflict(let error, let isDecided):
            if isDecided || intent.isTaken(in: list) { throw rejectUnproven(intent, error) }
            if let second = Self.pause(upTo: .seconds(2)) {
                try await pause(for: second, sending: intent, doubt)
            }
            let decided = AttemptSequence.Fallback.rejectConflict(error, isDecided: true)
            return try await confirmation(of: intent, orElse: decided)
        case .resend(_, _, let resending, _):
            if isProof {
                if resending == .always { return nil }
                if await isKnownToHonorKeys(according: list) { return nil }
            }
            return try await waitForAppearance(of: intent, doubt, retryAfter)
        case .wait: return try await waitForAppearance(of: intent, doubt, retryAfter)
        case .doubt: throw .inDoubt(intent, doubt, retryAfter)
        case .resume:
            if let doubt = await reasonNotToRepeat(intent, current, list) { throw doubt }
            return nil
        }
    }

    private func afterInconclusiveLookup(
        of intent: BookingIntent,
        _ reason: String,
        _ fallback: AttemptSequence.Fallback
    ) async throws(Failure) -> BookingConfirmation? {
        let (doubt, retryAfter) = fallback.doubt
        let details = "\(doubt); \(reason)"
        guard fallback.waits else { throw .inDoubt(intent, details, retryAfter) }
        return try await waitForAppearance(of: intent, details, retryAfter)
    }

    /// A failed lookup leaves the outcome in doubt. A 401 to it explains an earlier 401, and if the
    /// server can be reached at all, a later lookup may succeed.
    private func afterFailedLookup(
        of intent: BookingIntent,
        _ error: Failure,
        _ fallback: AttemptSequence.Fallback
    ) async throws(Failure) -> BookingConfirmation? {
        let (doubt, retryAfter) = fallback.doubt
        let details = "\(doubt); looking it up failed: \(error)"
        switch (fallback, error) {
        case (.rejectUnproven(let rejection), .notAuthenticated):
            if case .notAuthenticated = rejection { throw rejectUnproven(intent, rejection) }
        case (_, .unavailable) where fallback.waits:
            return try await waitForAppearance(of: intent, details, retryAfter)
        default: break
        }
        throw .inDoubt(intent, details, retryAfter)
    }

    /// Looks up an intent whose request may still be running until it appears. Throws `inDoubt` with
    /// `reason` if it does not.
    private func waitForAppearance(
        of intent: BookingIntent,
        _ reason: String,
        _ retryAfter: Int?
    ) async throws(Failure) -> BookingConfirmation {
        for duration in Self.lookupPauses {
            guard let duration = Self.pause(upTo: duration) else { break }
            try await pause(for: duration, sending: intent, reason)
            let (evidence, list): (Evidence, ReportedAppointments)
            do {
                (evidence, list) = try await lookUp(intent)
            } catch .unavailable {
                continue
            } catch {
                break
            }
            switch evidence {
            case .done(let appointment):
                return confirm(appointment, of: intent, showsKey: list.shows(keyOf: [intent]))
            case .superseded(let current):
                throw reject(intent, Failure(supersededBy: current, intent))
            case .absent, .inconclusive: continue
            }
        }
        throw .inDoubt(intent, reason, retryAfter)
    }

    /// Whether a list that does not show `intent` proves that it was not done. For a change, the
    /// list shows `current`, the unchanged appointment, which is proof; a booking may be unlisted.
    func isProof(ofAbsence intent: BookingIntent, _ current: Appointment?) -> Bool {
        current != nil || !intent.mayBeUnlisted(at: clock.now)
    }

    /// Looks up the server's appointments and evaluates them as evidence about `intent`.
    func lookUp(
        _ intent: BookingIntent
    ) async throws(Failure) -> (evidence: Evidence, list: ReportedAppointments) {
        let otherIntents = intents(except: intent)
        func evidence(_ list: ReportedAppointments) -> Evidence {
            Evidence(list, about: intent, otherIntents: otherIntents, now: clock.now)
        }
        let list = try await lookUp { evidence($0).isDone }
        return (evidence(list), list)
    }

    /// Requests the server's appointments. A list that may precede the request is requested once
    /// more after a pause, unless `isSufficient` accepts it as an incomplete one. The second list is
    /// newer than this call.
    func lookUp(
        unless isSufficient: (ReportedAppointments) -> Bool = { _ in false }
    ) async throws(Failure) -> ReportedAppointments {
        var list = try await server.lookUp()
        guard list.mayPrecedeRequest else { return list }
        list.isComplete = false
        if isSufficient(list) { return list }
        do {
            if let second = Self.pause(upTo: .seconds(2)) { try await pause(for: second) }
        } catch {
            return list
        }
        return try await server.lookUp()
    }

    /// `duration`, or less if the call does not have enough time; nil if it has none.
    private static func pause(upTo duration: Duration) -> Duration? {
        guard let budget = CallBudget.current else { return duration }
        return budget.longestPause(upTo: duration)
    }
}

// Decides whether a request that may have arrived may be sent again.
extension IntentSender {
    private static let mayBeRunning =
        "an earlier attempt may still be running, and the server is not known to honor idempotency "
        + "keys; the request can be repeated three minutes after that attempt"

    /// Why a repeated request must not send `intent` again although `list`, with the unchanged
    /// appointment `current` of a change, does not show it; nil if it may.
    ///
    /// A server that honors keys makes no second booking. At any other server, an attempt may still be
    /// running until the grace period ends, unless it was rejected.
    func reasonNotToRepeat(
        _ intent: BookingIntent,
        _ current: Appointment?,
        _ list: ReportedAppointments
    ) async -> Failure? {
        guard isProof(ofAbsence: intent, current) else {
            return .inDoubt(intent, "\(Self.noResponse); \(BookingIntent.unlisted)")
        }
        let left = intent.graceLeft(at: clock.now)
        if left == 0 || intent.isRejected { return nil }
        if await isKnownToHonorKeys(according: list) { return nil }
        return .inDoubt(intent, Self.mayBeRunning, Int(left))
    }

    /// Whether the server is known to honor idempotency keys: it has shown a key of the journal, in an
    /// answer or in `list`, or it says so.
    private func isKnownToHonorKeys(according list: ReportedAppointments) async -> Bool {
        let intents = (try? journal.intents()) ?? []
        if intents.contains(where: \.wasKeyShown) || list.shows(keyOf: intents) { return true }
        return await server.statesKeySupport()
    }
}

extension AttemptSequence.Fallback {
    /// Decides whether a resumed intent may be sent again if the server does not list its appointment.
    ///
    /// It is not sent again after a 2xx response, because the appointment may take time to appear.
    /// Nor is it sent by a different caller, for whom the server would treat the key as new.
    init(resuming intent: BookingIntent, as caller: Caller) {
        if intent.acceptance != nil {
            self = .doubt(reason: "the server accepted an earlier attempt but does not show it")
        } else if !caller.isSame(as: intent.caller) {
            self = .doubt(reason: "it was sent with different credentials")
        } else {
            self = .resume
        }
    }

    /// What to report if the outcome remains unknown.
    var doubt: (reason: String, retryAfterSeconds: Int?) {
        switch self {
        case .reject, .rejectConflict: ("the server rejected it", nil)
        case .rejectUnproven: ("it was rejected, perhaps not by the server", nil)
        case .resend(_, let reason, _, let seconds), .wait(let reason, let seconds),
            .doubt(let reason, let seconds):
            (reason, seconds)
        case .resume: (IntentSender.noResponse, nil)
        }
    }

    /// Whether the booking or change may still appear, so that it is looked up for a while.
    fileprivate var waits: Bool {
        switch self {
        case .resend, .wait: true
        case .reject, .rejectUnproven, .rejectConflict, .doubt, .resume: false
        }
    }
}

extension Failure {
    /// The error with the present state of the appointment, if it is a version conflict without one.
    fileprivate func adding(_ current: Appointment?) -> Failure {
        self == .versionConflict(current: nil) ? .versionConflict(current: current) : self
    }
}

extension BookingIntent {
    /// Whether `list` shows a different appointment at the requested time.
    fileprivate func isTaken(in list: ReportedAppointments) -> Bool {
        action.name != .cancel && list.showsOther(at: action.outcome)
    }
}
