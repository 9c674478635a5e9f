/// Finds the appointments that this caller booked, by the journal.
public struct OwnBookings: Sendable {
    private let journal: any BookingJournal
    private let caller: @Sendable () -> Caller

    /// Composes the search for the bookings of `caller`.
    public init(journal: any BookingJournal, caller: @escaping @Sendable () -> Caller) {
        self.journal = journal
        self.caller = caller
    }

    /// The appointments among `appointments` that the caller booked or moved. Others may have the same
    /// phone: a different client may have booked them.
    func bookings(among appointments: [Appointment]) -> [OwnBooking] {
        let caller = caller()
        let intents = ((try? journal.intents()) ?? []).filter { $0.caller.isSame(as: caller) }
        return appointments.compactMap { appointment in
            let made = intents.filter { $0.made(appointment) }
            guard !made.isEmpty else { return nil }
            return OwnBooking(appointment: appointment, key: made.last(where: \.isBooking)?.key)
        }
    }
}

extension BookingIntent {
    fileprivate var isBooking: Bool { if case .book = action { true } else { false } }

    fileprivate func made(_ appointment: Appointment) -> Bool {
        guard action.name != .cancel, case .done(let confirmed) = state else { return false }
        return confirmed.isSame(as: appointment)
    }
}
