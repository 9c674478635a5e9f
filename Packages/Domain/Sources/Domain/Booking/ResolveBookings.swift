/// The use case that finds out what became of bookings, and of changes to them, whose answer never
/// came.
///
/// It asks and never sends: what the remote does not show is dropped once it is old enough, and
/// stays in doubt before.
public struct ResolveBookings: Sendable {
    /// What was found out about one intent.
    public struct Resolution: Sendable, Hashable {
        /// The outcomes that there are.
        public enum Outcome: Sendable, Hashable {
            /// It was done; this is the appointment now.
            case done(Appointment)
            /// It was not done.
            case notDone
            /// It is still not known.
            case inDoubt(reason: String)
        }

        /// The intent as it was written down.
        public var intent: BookingIntent
        /// What was found out.
        public var outcome: Outcome
    }

    /// The age in seconds below which an intent that the remote does not show stays in doubt: a
    /// live process may still be at it, for as long as all its attempts may take.
    public static let graceSeconds: Int64 = 180

    private let sender: IntentSender
    private let clock: any WallClock

    /// Resolves what `booking`, and changes to bookings, left open.
    public init(_ booking: BookAppointment) {
        sender = booking.sender
        clock = booking.slots.clock
    }

    /// The intents that ``resolve()`` would ask about, oldest first; asks nobody, changes nothing.
    public func rehearse() throws(JournalError) -> [Resolution] {
        try sender.journal.pending().map {
            Resolution(intent: $0, outcome: .inDoubt(reason: "the remote was not asked"))
        }
    }

    /// Resolves every open intent; asks the remote once, and only when there is one.
    public func resolve() async throws(JournalError) -> [Resolution] {
        let pending = try sender.journal.pending()
        guard !pending.isEmpty else { return [] }
        let held: [Appointment]
        do throws(RemoteError) {
            held = try await sender.remote.appointments()
        } catch {
            return pending.map {
                Resolution(intent: $0, outcome: .inDoubt(reason: error.description))
            }
        }
        return pending.map { Resolution(intent: $0, outcome: outcome(of: $0, among: held)) }
    }

    private func outcome(
        of intent: BookingIntent,
        among held: [Appointment]
    ) -> Resolution.Outcome {
        switch intent.action.evidence(in: held) {
        case .done(let found): return .done(sender.confirm(found, of: intent).appointment)
        case .overtaken: break
        case .notShown:
            guard clock.now.seconds(since: intent.begunAt) >= Self.graceSeconds else {
                return .inDoubt(
                    reason: "the remote does not show it yet; ask again in a few minutes"
                )
            }
        }
        do throws(JournalError) {
            try sender.journal.settle(intent, as: .dropped)
            return .notDone
        } catch {
            return .inDoubt(reason: error.reason)
        }
    }
}
