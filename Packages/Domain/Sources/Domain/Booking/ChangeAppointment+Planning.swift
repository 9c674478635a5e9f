extension ChangeAppointment {
    /// Plans the change that `request` asks for, and checks it against everything that is known.
    func plan(_ request: ChangeRequest) async throws(BookingError) -> Plan {
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
        guard case .reschedule(let asked) = request.kind else { return Plan(change: change) }
        var salon = await slots.salon(before.booking.salonID)
        change.kind = .reschedule(to: try await read(asked, at: &salon))
        do throws(BookingError) {
            try await checkSlot(of: change, at: &salon)
        } catch {
            let wanted = change.outcome.booking
            throw await sender.namingOwnBooking(in: error, at: wanted, moving: change.id)
                .offering(on: salon.zonedClock)
        }
        return Plan(change: change, salon: salon)
    }

    /// The appointment as the server has it now.
    private func appointment(_ id: String) async throws(BookingError) -> Appointment {
        let list: ReportedAppointments
        do throws(ServerError) {
            list = try await sender.server.lookUp()
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
        // A version above the listed one is left to the server: its list may lag behind.
        if let asked = request.version, let shown = appointment.version, shown > asked {
            throw .versionConflict(current: appointment)
        }
    }

    /// Checks the time that an appointment is moved to.
    private func checkSlot(
        of change: AppointmentChange,
        at salon: inout RequestedSalon
    ) async throws(BookingError) {
        let wanted = change.outcome.booking
        try BookingRules.check(wanted.time, now: slots.clock.now)
        try await slots.check(wanted, at: &salon)
        // If the old and the new time overlap, the appointment itself takes the slot.
        var minutes = 1_440
        if case .known(let known, _) = salon.lookup { minutes = known.appointmentMinutes }
        let length = Int64(min(max(minutes, 1), 1_440)) * 60
        let distance = wanted.time.instant.seconds(since: change.before.booking.time.instant)
        if distance.magnitude >= length.magnitude {
            try await slots.confirmAvailability(of: wanted)
        }
    }

    func read(
        _ time: RequestedTime,
        at salon: inout RequestedSalon
    ) async throws(BookingError) -> AppointmentTime {
        do throws(InvalidTimeError) {
            return try await salon.time(of: time)
        } catch {
            throw .invalidTime(error)
        }
    }
}
