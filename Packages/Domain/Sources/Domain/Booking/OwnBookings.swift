/// Finds the caller's own bookings in lists of appointments, according to the journal.
public struct OwnBookings: Sendable {
    private let journal: any BookingJournal
    private let server: any BookingAPI

    /// Creates a finder for the bookings of the caller of `server`.
    public init(journal: any BookingJournal, server: any BookingAPI) {
        self.journal = journal
        self.server = server
    }

    /// Returns the elements of `appointments` that the caller booked or moved, according to the
    /// journal. An equal phone number is not enough, because a different client may have made the
    /// booking.
    public func bookings(among appointments: [Appointment]) -> [OwnBooking] {
        let caller = server.caller
        let intents = ((try? journal.intents()) ?? []).filter { $0.caller.isSame(as: caller) }
        let made = MadeAppointments(intents)
        return appointments.compactMap { appointment in
            let matches = made.intents(of: appointment)
            guard !matches.isEmpty else { return nil }
            return OwnBooking(appointment: appointment, key: matches.last(where: \.isBooking)?.key)
        }
    }
}

/// The appointments that were booked or moved, by what identifies them, so that a long list is compared with a
/// long journal in little time.
private struct MadeAppointments {
    private struct Start: Hashable {
        let salonID: SalonID
        let instant: Timestamp

        init(_ appointment: Appointment) {
            (salonID, instant) = (appointment.booking.salonID, appointment.booking.time.instant)
        }
    }

    private var made: [(intent: BookingIntent, appointment: Appointment)] = []
    private var byID: [String: [Int]] = [:]
    private var byStart: [Start: [Int]] = [:]

    init(_ intents: [BookingIntent]) {
        for intent in intents where intent.action.name != .cancel {
            guard case .done(let appointment) = intent.state else { continue }
            if let id = appointment.id { byID[id, default: []].append(made.count) }
            byStart[Start(appointment), default: []].append(made.count)
            made.append((intent, appointment))
        }
    }

    /// The intents that made `appointment`, in the order of the journal.
    func intents(of appointment: Appointment) -> [BookingIntent] {
        let sameID = appointment.id.flatMap { byID[$0] } ?? []
        let numbers = Set(sameID + (byStart[Start(appointment)] ?? [])).sorted()
        return numbers.map { made[$0] }.filter { $0.appointment.isSame(as: appointment) }
            .map(\.intent)
    }
}

extension BookingIntent {
    fileprivate var isBooking: Bool { if case .book = action { true } else { false } }
}

/// A booking that the caller made or moved, according to the journal.
public struct OwnBooking: Sendable, Hashable {
    /// The appointment as the server lists it.
    public var appointment: Appointment
    /// The idempotency key under which it was booked; nil if the journal does not contain it.
    public var key: String?

    /// Creates a booking.
    public init(appointment: Appointment, key: String? = nil) {
        self.appointment = appointment
        self.key = key
    }
}
