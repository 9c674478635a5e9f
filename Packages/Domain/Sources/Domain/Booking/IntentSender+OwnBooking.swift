extension IntentSender {
    /// Returns `error`. If it reports a taken slot, and a booking of this caller takes that slot,
    /// the result names the booking. `id` is the appointment that `request` moves, if it moves one.
    func namingOwnBooking(
        in error: Failure,
        at request: BookingRequest,
        moving id: String? = nil
    ) async -> Failure {
        guard case .slotUnavailable(let alternatives, nil, let reason) = error,
            let own = await ownBooking(at: request, moving: id)
        else { return error }
        return .slotUnavailable(alternatives: alternatives, ownBooking: own, reason: reason)
    }

    /// The booking at the salon and minute of `request` that is in the journal and still on the
    /// server. An equal phone is not enough, because a different client may have made the booking.
    private func ownBooking(at request: BookingRequest, moving id: String?) async -> OwnBooking? {
        let intents = (try? journal.intents()) ?? []
        let candidates = intents.filter { $0.mayHaveTaken(request, as: server.caller) }
        guard !candidates.isEmpty, let list = try? await server.lookUp() else { return nil }
        for intent in candidates.reversed() {
            guard let found = intent.appointment(in: list, among: intents, now: clock.now),
                found.isActive, found.booking.isSameSlot(as: request),
                !found.booking.options.nameDifferentStaff(request.options),
                id == nil || found.id != id
            else { continue }
            return OwnBooking(appointment: found, key: intents.bookingKey(of: found, or: intent))
        }
        return nil
    }
}

extension BookingIntent {
    /// Whether `caller` used this intent to book the slot of `request` or to move an appointment
    /// there.
    fileprivate func mayHaveTaken(_ request: BookingRequest, as caller: Caller) -> Bool {
        action.name != .cancel && !isRejected && action.outcome.booking.isSameSlot(as: request)
            && self.caller.isSame(as: caller)
    }

    /// The appointment of this intent in `list`; nil if the list does not prove which one it is.
    fileprivate func appointment(
        in list: ReportedAppointments,
        among intents: [BookingIntent],
        now: Timestamp
    ) -> Appointment? {
        if case .done(let confirmed) = state, let id = confirmed.id {
            return list.appointments.first { $0.id == id }?.completed(by: confirmed)
        }
        let evidence = Evidence(
            list,
            about: self,
            otherIntents: intents.filter { $0.key != key },
            now: now
        )
        if case .done(let found) = evidence { return found }
        return nil
    }
}

extension [BookingIntent] {
    /// The key under which `appointment` was booked; nil if the journal contains only a later
    /// change.
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
