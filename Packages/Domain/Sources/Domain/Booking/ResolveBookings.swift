/// The use case that finds out the outcome of bookings and changes that got no response.
///
/// It looks up the server's appointments and never sends a request again. An intent that the server
/// does not list stays in doubt for a grace period and then counts as not found. If its appointment
/// appears later, it counts as done.
public struct ResolveBookings: Sendable {
    /// The result for one intent.
    public struct Resolution: Sendable, Hashable {
        /// The outcome of an intent.
        public enum Outcome: Sendable, Hashable {
            /// The intent was done. The value is the current appointment.
            case done(Appointment)
            /// The intent was not done, and never will be under its key; or it is a booking that
            /// was cancelled later.
            case notDone
            /// The server did not list the appointment after the grace period.
            case notFound
            /// A person discarded the intent. Whether it was done is unknown.
            case discarded
            /// The outcome is still unknown.
            case inDoubt(reason: String)
        }

        /// The intent before the resolution.
        public var intent: BookingIntent
        /// The outcome.
        public var outcome: Outcome
    }

    let sender: IntentSender

    /// Creates the use case from the dependencies of `booking`.
    public init(_ booking: BookAppointment) { sender = booking.sender }

    /// The intents that ``resolve()`` would report in any case, oldest first: those whose outcome
    /// is unknown. Sends and changes nothing. ``resolve()`` also looks up those that it did not
    /// find earlier.
    public func preview() throws -> [Resolution] {
        try sender.journal.pending().map(Self.preview)
    }

    static func preview(of intent: BookingIntent) -> Resolution {
        Resolution(intent: intent, outcome: .inDoubt(reason: "a preview does not ask the server"))
    }

    /// Resolves every open intent. Sends one lookup, a second one if the first list may be too old,
    /// and none if no intent is open. The result omits intents that were not found earlier and
    /// still are not.
    public func resolve() async throws -> [Resolution] {
        let open = try sender.journal.intents().filter(\.isOpen)
        guard !open.isEmpty else { return [] }
        let claims = try await sender.claims(of: open.map(\.key))
        defer { withExtendedLifetime(claims) {} }
        // An intent may have been closed between the first read and its claim.
        var intents = try sender.journal.intents()
        if !intents.contains(where: { $0.isOpen && claims[$0.key] != nil }) {
            return intents.filter { $0.state == .pending }.map {
                .init(intent: $0, outcome: Self.busy)
            }
        }
        let list: Result<ReportedAppointments, Failure>
        do {
            list = .success(try await sender.lookUp())
        } catch {
            list = .failure(error)
        }
        var resolutions: [Resolution] = []
        for (index, intent) in intents.enumerated() where intent.isOpen {
            let outcome = claims[intent.key] == nil ? Self.busy : outcome(of: intent, list, intents)
            // An appointment that belongs to this intent is not evidence of the next one.
            if case .done(let appointment) = outcome { intents[index].state = .done(appointment) }
            // An earlier resolution has already reported it as not found.
            if intent.state == .notFound, outcome.isUnchanged { continue }
            // The caller already knows that it was not done.
            if intent.isRejected, outcome == .notDone { continue }
            resolutions.append(Resolution(intent: intent, outcome: outcome))
        }
        return resolutions
    }

    /// The outcome of the intent with `key` as far as the journal has it; nil if the journal has no
    /// such intent, because it was never sent, rejected, or discarded, or is too old. Sends and
    /// changes nothing.
    public func known(_ key: String) throws -> Resolution? {
        guard let intent = try sender.journal.intent(of: key) else { return nil }
        switch intent.state {
        case .pending: return Self.preview(of: intent)
        case .done(let appointment):
            let found = sender.completed(appointment, of: intent)
            return Resolution(intent: intent, outcome: .done(found))
        case .notFound: return Resolution(intent: intent, outcome: .notFound)
        case .dropped: return nil
        }
    }

    /// Whether the journal knows that nothing more comes of `key`: the server rejected its request, or
    /// a person discarded it.
    public func isDropped(_ key: String) throws -> Bool {
        try sender.journal.intent(of: key)?.state == .dropped
    }

    private static let busy = Resolution.Outcome.inDoubt(reason: IntentSender.busy)

    private func outcome(
        of intent: BookingIntent,
        _ list: Result<ReportedAppointments, Failure>,
        _ intents: [BookingIntent]
    ) -> Resolution.Outcome {
        let reported: ReportedAppointments
        switch list {
        case .success(let list): reported = list
        case .failure(let error): return .inDoubt(reason: error.description)
        }
        let otherIntents = intents.filter { $0.key != intent.key }
        switch Evidence(reported, about: intent, otherIntents: otherIntents, now: sender.clock.now)
        {
        case .done(let found):
            let showsKey = reported.shows(keyOf: [intent])
            return .done(sender.confirm(found, of: intent, showsKey: showsKey).appointment)
        case .superseded: return record(.dropped, of: intent, as: .notDone)
        case .inconclusive(let reason): return .inDoubt(reason: reason)
        case .absent(let current): return outcome(ofAbsent: intent, current)
        }
    }

    private func outcome(
        ofAbsent intent: BookingIntent,
        _ current: Appointment?
    ) -> Resolution.Outcome {
        if intent.acceptance != nil {
            return .inDoubt(reason: "the server accepted it but does not show it")
        }
        guard sender.isProof(ofAbsence: intent, current) else {
            return .inDoubt(reason: BookingIntent.unlisted)
        }
        guard intent.graceLeft(at: sender.clock.now) == 0 else {
            return .inDoubt(reason: "the server does not show it yet; try again in a few minutes")
        }
        if intent.state == .notFound { return .notFound }
        return record(.notFound, of: intent, as: .notFound)
    }

    /// Records `state` and returns `outcome`, or `inDoubt` if the journal cannot be written.
    func record(
        _ state: BookingIntent.State,
        of intent: BookingIntent,
        as outcome: Resolution.Outcome
    ) -> Resolution.Outcome {
        do {
            try sender.journal.record(.outcome(state), of: intent)
            return outcome
        } catch {
            return .inDoubt(reason: "\(error)")
        }
    }
}

extension ResolveBookings.Resolution.Outcome {
    fileprivate var isUnchanged: Bool {
        switch self {
        case .notFound, .inDoubt: true
        case .done, .notDone, .discarded: false
        }
    }
}

extension ResolveBookings {
    /// Closes an intent whose outcome is in doubt, because a person asked for it.
    ///
    /// First asks the server to void the key. If the server voids it, the intent is certainly not
    /// done. If the key was used, the intent is done. If the server cannot void keys, the intent is
    /// closed with an unknown outcome. The intent stays in doubt if the server fails or reports a
    /// different appointment under the key, or if a different caller sent the intent. Throws
    /// `invalidRequest` if no open intent has the key.
    public func discard(_ key: String) async throws(Failure) -> Resolution {
        let (intent, claim) = try await claimedIntent(key)
        defer { withExtendedLifetime(claim) {} }
        guard sender.server.caller.isSame(as: intent.caller) else {
            let reason = "it was sent with different credentials; use them to discard it"
            return Resolution(intent: intent, outcome: .inDoubt(reason: reason))
        }
        let voiding: KeyVoidResult
        do {
            voiding = try await sender.server.void(key)
        } catch {
            return Resolution(intent: intent, outcome: .inDoubt(reason: error.description))
        }
        let outcome: Resolution.Outcome =
            switch voiding {
            case .voided: record(.dropped, of: intent, as: .notDone)
            case .unsupported: record(.dropped, of: intent, as: .discarded)
            case .used(let report): self.outcome(ofUsed: intent, report)
            }
        return Resolution(intent: intent, outcome: outcome)
    }

    private func outcome(
        ofUsed intent: BookingIntent,
        _ report: ReportedAppointment?
    ) -> Resolution.Outcome {
        let confirmed =
            report.map { intent.confirmation(by: $0, claimed: []) } ?? intent.action.outcome
        guard let confirmed else {
            return .inDoubt(reason: "the key was used, but not for what was requested")
        }
        let showsKey = report?.idempotencyKey == intent.key
        return .done(sender.confirm(confirmed, of: intent, showsKey: showsKey).appointment)
    }

    /// The intent that ``discard(_:)`` would close. Sends and changes nothing. Throws
    /// `invalidRequest` if no open intent has the key.
    public func previewDiscarding(_ key: String) throws(Failure) -> Resolution {
        let found: BookingIntent?
        do { found = try sender.journal.intent(of: key) } catch {
            throw .journal(reason: "\(error)")
        }
        return Self.preview(of: try open(found))
    }

    private func claimedIntent(
        _ key: String
    ) async throws(Failure) -> (BookingIntent, any IntentClaim) {
        let found: (intent: BookingIntent?, claim: (any IntentClaim)?)
        do {
            let claim = try await sender.claims(of: [key])[key]
            found = (try sender.journal.intent(of: key), claim)
        } catch {
            throw .journal(reason: "\(error)")
        }
        let intent = try open(found.intent)
        guard let claim = found.claim else {
            throw .inDoubt(intent, IntentSender.busy)
        }
        return (intent, claim)
    }

    private func open(_ intent: BookingIntent?) throws(Failure) -> BookingIntent {
        if let intent, intent.isOpen { return intent }
        let known = (try? sender.journal.intents()) ?? []
        let keys = known.filter(\.isOpen).prefix(10).map(\.key)
        throw .invalidRequest(
            field: "discard",
            reason: "must be the key of a booking or change in doubt; "
                + (keys.isEmpty
                    ? "nothing is in doubt" : "in doubt: \(keys.joined(separator: ", "))")
        )
    }
}
