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
        return appointments.compactMap { appointment in
            let matches = intents.filter { $0.bookedOrMoved(appointment) }
            guard !matches.isEmpty else { return nil }
            return OwnBooking(appointment: appointment, key: matches.last(where: \.isBooking)?.key)
        }
    }
}

extension BookingIntent {
    fileprivate var isBooking: Bool { if case .book = action { true } else { false } }

    fileprivate func bookedOrMoved(_ appointment: Appointment) -> Bool {
        guard action.name != .cancel, case .done(let confirmed) = state else { return false }
        return confirmed.isSame(as: appointment)
    }
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
