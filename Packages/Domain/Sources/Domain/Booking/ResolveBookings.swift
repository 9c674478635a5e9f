/// The use case that finds out what became of bookings whose answer never came.
///
/// It asks and never sends: what the remote does not show is dropped once it is old enough, and
/// stays in doubt before.
public struct ResolveBookings: Sendable {
    /// What was found out about one intent.
    public struct Resolution: Sendable, Hashable {
        /// The outcomes that there are.
        public enum Outcome: Sendable, Hashable {
            /// It is a booking.
            case booked(Appointment)
            /// It is none.
            case notBooked
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

    private let booking: BookAppointment

    /// Resolves what `booking` left open.
    public init(_ booking: BookAppointment) {
        self.booking = booking
    }

    /// Resolves every open intent; asks the remote once, and only when there is one.
    public func resolve() async throws(JournalError) -> [Resolution] {
        let pending = try booking.journal.pending()
        guard !pending.isEmpty else { return [] }
        let held: [Appointment]
        do throws(RemoteError) {
            held = try await booking.remote.appointments()
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
        if let found = held.first(where: { $0.booking.isSameBooking(as: intent.request) }) {
            return .booked(booking.confirm(found, of: intent).appointment)
        }
        guard booking.clock.now.seconds(since: intent.begunAt) >= Self.graceSeconds else {
            return .inDoubt(reason: "the remote does not show it yet; ask again in a few minutes")
        }
        do throws(JournalError) {
            try booking.journal.settle(intent.key, as: .dropped)
            return .notBooked
        } catch {
            return .inDoubt(reason: error.reason)
        }
    }
}
