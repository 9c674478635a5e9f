extension IntentSender {
    /// The same error. If it reports that the slot of `request` is taken, and a booking of this caller
    /// takes it, the result names that booking. `id` is the appointment to move, if the request moves
    /// one.
    func namingOwnBooking(
        in error: BookingError,
        at request: BookingRequest,
        moving id: String? = nil
    ) async -> BookingError {
        guard case .slotUnavailable(let alternatives, nil) = error,
            let own = await ownBooking(at: request, moving: id)
        else { return error }
        return .slotUnavailable(alternatives: alternatives, ownBooking: own)
    }

    /// The booking at the salon and minute of `request` that the journal has and the server still
    /// shows. An equal phone is not enough: a different client may have booked it.
    private func ownBooking(at request: BookingRequest, moving id: String?) async -> OwnBooking? {
        let intents = (try? journal.intents()) ?? []
        let mine = intents.filter { $0.mayHold(request, as: server.caller) }
        guard !mine.isEmpty, let list = try? await server.lookUp() else { return nil }
        for intent in mine.reversed() {
            guard let held = intent.appointment(in: list, among: intents),
                held.status == .booked, held.booking.isSameSlot(as: request),
                id == nil || held.id != id
            else { continue }
            return OwnBooking(appointment: held, key: intents.bookingKey(of: held, or: intent))
        }
        return nil
    }
}

extension BookingIntent {
    /// Whether it booked the slot of `request`, or moved an appointment there, on behalf of `caller`.
    fileprivate func mayHold(_ request: BookingRequest, as caller: Caller) -> Bool {
        action.name != .cancel && action.outcome.booking.isSameSlot(as: request)
            && self.caller.isSame(as: caller)
    }

    /// The appointment of this intent in `list`; nil if the list does not show it for certain.
    fileprivate func appointment(
        in list: ReportedAppointments,
        among intents: [BookingIntent]
    ) -> Appointment? {
        if case .done(let confirmed) = state, let id = confirmed.id {
            return list.appointments.first { $0.id == id }?.completed(by: confirmed)
        }
        let others = intents.filter { $0.key != key }
        guard case .done(let found) = Evidence(list, about: self, others: others) else {
            return nil
        }
        return found
    }
}

extension [BookingIntent] {
    /// The key under which `appointment` was booked; nil if the journal only has a later change.
    fileprivate func bookingKey(of appointment: Appointment, or intent: BookingIntent) -> String? {
        if case .book = intent.action { return intent.key }
        return last { earlier in
            guard case .book = earlier.action, case .done(let booked) = earlier.state else {
                return false
            }
            return booked.id != nil && booked.id == appointment.id
        }?.key
    }
}
