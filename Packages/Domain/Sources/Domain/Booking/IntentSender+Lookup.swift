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
