/// The use case that finds out what became of bookings, and of changes to them, whose answer was
/// never received.
///
/// It asks and never sends again. What the server does not show stays in doubt for a grace period;
/// afterwards it counts as not found, and a late appearance still counts as done.
public struct ResolveBookings: Sendable {
    /// What was found out about one intent.
    public struct Resolution: Sendable, Hashable {
        /// What is known afterwards.
        public enum Outcome: Sendable, Hashable {
            /// It was done; this is the appointment now.
            case done(Appointment)
            /// It was not done, and its key will never do it.
            case notDone
            /// The server did not show it after the grace period.
            case notFound
            /// A person gave it up. The server cannot tell whether it was done.
            case discarded
            /// It is still unknown.
            case inDoubt(reason: String)
        }

        /// The intent as the journal held it.
        public var intent: BookingIntent
        /// What was found out.
        public var outcome: Outcome
    }

    /// The age in seconds, since its last attempt, below which an intent that the server does not
    /// show stays in doubt: the request may still be on its way.
    public static let graceSeconds: Int64 = 180

    let sender: IntentSender
    private let clock: any WallClock

    /// Resolves what `booking`, and changes to bookings, left open.
    public init(_ booking: BookAppointment) {
        sender = booking.sender
        clock = booking.slots.clock
    }

    /// The intents that ``resolve()`` would ask about, oldest first; asks and changes nothing.
    public func preview() throws(JournalError) -> [Resolution] {
        try sender.journal.pending().map {
            Resolution(intent: $0, outcome: .inDoubt(reason: "the server was not asked"))
        }
    }

    /// Resolves every pending intent, and those not found before that have appeared since. Asks the
    /// server once, and only when there is an open intent.
    public func resolve() async throws(JournalError) -> [Resolution] {
        let open = try sender.journal.intents().filter(\.isOpen)
        guard !open.isEmpty else { return [] }
        let claims = try await sender.claims(of: open.map(\.key))
        defer { withExtendedLifetime(claims) {} }
        // What was claimed may have been closed since it was read.
        let intents = try sender.journal.intents()
        if !intents.contains(where: { $0.isOpen && claims[$0.key] != nil }) {
            return intents.filter { $0.state == .pending }.map {
                .init(intent: $0, outcome: Self.busy)
            }
        }
        let list: Result<ReportedAppointments, ServerError>
        do throws(ServerError) {
            list = .success(try await sender.server.lookUp())
        } catch {
            list = .failure(error)
        }
        return intents.filter(\.isOpen).compactMap { intent in
            let outcome = claims[intent.key] == nil ? Self.busy : outcome(of: intent, list, intents)
            // One that is still not found was reported before.
            if intent.state == .notFound, outcome.isUnchanged { return nil }
            return Resolution(intent: intent, outcome: outcome)
        }
    }

    private static let busy = Resolution.Outcome.inDoubt(reason: IntentSender.busy)

    private func outcome(
        of intent: BookingIntent,
        _ list: Result<ReportedAppointments, ServerError>,
        _ intents: [BookingIntent]
    ) -> Resolution.Outcome {
        guard case .success(let list) = list else {
            guard case .failure(let error) = list else { return Self.busy }
            return .inDoubt(reason: error.description)
        }
        let others = intents.filter { $0.key != intent.key }
        switch Evidence(list, about: intent, others: others) {
        case .done(let found): return .done(sender.confirm(found, of: intent).appointment)
        case .superseded: return record(.dropped, of: intent, as: .notDone)
        case .inconclusive(let reason): return .inDoubt(reason: reason)
        case .absent: return outcome(ofAbsent: intent)
        }
    }

    private func outcome(ofAbsent intent: BookingIntent) -> Resolution.Outcome {
        if intent.acceptance != nil {
            return .inDoubt(reason: "the server accepted it and does not show it")
        }
        guard clock.now.seconds(since: intent.lastAttemptAt) >= Self.graceSeconds else {
            return .inDoubt(reason: "the server does not show it yet; ask again in a few minutes")
        }
        if intent.state == .notFound { return .notFound }
        return record(.notFound, of: intent, as: .notFound)
    }

    func record(
        _ state: BookingIntent.State,
        of intent: BookingIntent,
        as outcome: Resolution.Outcome
    ) -> Resolution.Outcome {
        do throws(JournalError) {
            try sender.journal.record(.outcome(state), of: intent)
            return outcome
        } catch {
            return .inDoubt(reason: error.reason)
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
