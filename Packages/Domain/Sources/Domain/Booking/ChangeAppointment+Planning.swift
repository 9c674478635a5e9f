extension ChangeAppointment {
    /// The change that `request` is, checked against all that is known.
    func plan(_ request: ChangeRequest) async throws(BookingError) -> AppointmentChange {
        let before = try await appointment(request.id)
        try check(before, request)
        guard let shown = before.version else {
            throw .changesNotOffered(reason: "it gives this appointment no version")
        }
        var change = AppointmentChange(
            id: request.id,
            version: request.version ?? shown,
            kind: .cancel,
            before: before
        )
        guard case .reschedule(let asked) = request.kind else { return change }
        change.kind = .reschedule(to: try await read(asked, for: before))
        do throws(BookingError) {
            try await checkSlot(of: change)
        } catch {
            throw await onClock(of: before, error)
        }
        return change
    }

    /// The appointment as the server has it now.
    private func appointment(_ id: String) async throws(BookingError) -> Appointment {
        let list: ReportedAppointments
        do throws(RemoteError) {
            list = try await sender.remote.lookUp()
        } catch {
            throw BookingError(beforeSending: error)
        }
        if let found = list.appointments.first(where: { $0.id == id }) {
            if let appointment = found.appointment { return appointment }
            throw .invalidData(reason: "the server reports appointment \(id) without what it needs")
        }
        if !list.appointments.isEmpty, list.appointments.allSatisfy({ $0.id == nil }) {
            throw .changesNotOffered(reason: "its appointments have no id")
        }
        throw .appointmentNotFound(id: id, reason: "the server does not list it")
    }

    private func check(
        _ appointment: Appointment,
        _ request: ChangeRequest
    ) throws(BookingError) {
        guard appointment.status == .booked else {
            throw .appointmentNotFound(id: request.id, reason: "it was cancelled")
        }
        guard appointment.booking.time.instant > slots.clock.now else {
            throw .invalidRequest(
                field: "id",
                reason: "names an appointment that has taken place"
            )
        }
        // A version that is not there yet is for the remote to judge: its list may lag behind it.
        if let asked = request.version, let shown = appointment.version, shown > asked {
            throw .versionConflict(current: appointment)
        }
    }

    /// Checks the time that an appointment is moved to.
    private func checkSlot(of change: AppointmentChange) async throws(BookingError) {
        let wanted = change.outcome.booking
        try BookingRules.check(wanted.time, now: slots.clock.now)
        let salon = try await slots.check(wanted)
        // Where both overlap, the slot is taken by the appointment itself.
        let minutes = salon?.appointmentMinutes ?? 1_440
        let length = Int64(min(max(minutes, 1), 1_440)) * 60
        let distance = wanted.time.instant.seconds(since: change.before.booking.time.instant)
        if distance.magnitude >= length.magnitude {
            try await slots.confirmAvailability(of: wanted)
        }
    }

    func read(
        _ time: RequestedTime,
        for appointment: Appointment
    ) async throws(BookingError) -> AppointmentTime {
        let clock = await times.zonedClock(of: appointment.booking.salonID)
        do throws(InvalidTimeError) {
            return try times.read(time, on: clock)
        } catch {
            throw .invalidTime(error)
        }
    }

    /// The error with the times that it offers on the clock of the salon.
    func onClock(of appointment: Appointment, _ error: BookingError) async -> BookingError {
        switch error {
        case .slotUnavailable, .notBookable:
            let clock = await times.zonedClock(of: appointment.booking.salonID)
            return clock.map { error.offering(on: $0) } ?? error
        default: return error
        }
    }
}
