/// The use case that reschedules and cancels appointments: each request becomes one change or one
/// clear error.
///
/// A change is journaled and sent like a booking (see ``BookAppointment``). It names a version of
/// the appointment and has no effect on a later version.
public struct ChangeAppointment: Sendable {
    let sender: IntentSender

    /// Creates the use case from the dependencies of `booking`.
    public init(_ booking: BookAppointment) { sender = booking.sender }

    /// A change to send, and its salon if the salon has already been looked up.
    struct Plan {
        var change: AppointmentChange
        var salon: RequestedSalon?
    }

    /// Sends `request` under `key`, or under a new key if it is nil.
    ///
    /// A repeated request with the same key returns the outcome of the first one.
    public func change(_ request: ChangeRequest, key: String? = nil) async throws(Failure)
        -> BookingConfirmation
    {
        CallBudget.current?.reserveLookup()
        if let earlier = try sender.earlierIntent(key) {
            let plan = try await plan(repeating: earlier, request)
            do {
                return try await sender.resume(earlier)
            } catch {
                throw await onSalonClock(error, plan)
            }
        }
        let plan = try await plan(request)
        if Task.isCancelled { throw .cancelled }
        let intent = sender.makeIntent(.change(plan.change), key: key)
        do {
            return try await sender.begin(intent, joiningSameBooking: false) {
                // A different process may have used the key since the journal was read.
                earlier throws(Failure) in
                _ = try await self.plan(repeating: earlier, request)
            }
        } catch {
            throw await onSalonClock(error, plan)
        }
    }

    /// Predicts the result of ``change(_:key:)``. Throws the error that the change would throw, as
    /// far as it can be predicted. Sends queries to the server but changes nothing.
    public func preview(_ request: ChangeRequest, key: String? = nil) async throws(Failure)
        -> BookingPreview
    {
        if let earlier = try sender.earlierIntent(key) {
            _ = try await plan(repeating: earlier, request)
            return try await sender.preview(earlier)
        }
        let plan = try await plan(request)
        let change = plan.change
        // The server might accept a version that its list does not show yet, but a preview knows
        // only the list.
        guard request.version == nil || request.version == change.before.version else {
            throw .versionConflict(current: change.before)
        }
        var after = change.outcome
        if let salon = plan.salon, case .known(let known, _) = salon.lookup {
            after.bookedService = after.moved(by: after.booking, at: known).bookedService
            var requested = after
            requested.booking = change.requested
            let predicted = await sender.predicted(requested, at: salon, moving: change.id)
            if predicted.isStaffAssigned { after = predicted }
            (after.bookedService, after.endTime) = (predicted.bookedService, predicted.endTime)
        }
        return BookingPreview(before: change.before, after: after)
    }

    /// Returns the plan of the change in `earlier`. Throws if `request` is a different change.
    private func plan(
        repeating earlier: BookingIntent,
        _ request: ChangeRequest
    ) async throws(Failure) -> Plan {
        guard case .change(let change) = earlier.action, change.id == request.id,
            request.version == nil || request.version == change.version
        else { throw .idempotencyConflict(key: earlier.key) }
        switch (change.kind, request.kind) {
        case (.cancel, .cancel): return Plan(change: change)
        case (.reschedule(let time, let options), .reschedule(let requested, let requestedOptions))
        where options == requestedOptions:
            var salon = await sender.times.salon(change.before.booking.salonID)
            let newTime = try await salon.time(of: requested)
            if newTime.instant == time.instant { return Plan(change: change, salon: salon) }
        default: break
        }
        throw .idempotencyConflict(key: earlier.key)
    }

    /// Returns `error` with its times on the salon's clock and with the caller's own booking.
    private func onSalonClock(_ error: Failure, _ plan: Plan) async -> Failure {
        guard error.isAboutTime else { return error }
        let wanted = plan.change.requested
        let salon =
            if let salon = plan.salon { salon } else {
                await sender.times.salon(wanted.salonID)
            }
        let named = await sender.namingOwnBooking(in: error, at: wanted, moving: plan.change.id)
        return named.withTimes(on: salon.zonedClock)
    }
}

extension ChangeAppointment {
    /// Plans the change in `request` and runs every check that is possible before sending it.
    func plan(_ request: ChangeRequest) async throws(Failure) -> Plan {
        let before = try await appointment(request.id)
        try check(before, request)
        guard let listedVersion = before.version else {
            throw .changesUnsupported(reason: "the appointment has no version")
        }
        var change = AppointmentChange(
            id: request.id,
            version: request.version ?? listedVersion,
            kind: .cancel,
            before: before
        )
        guard case .reschedule(let newTime, let options) = request.kind else {
            return Plan(change: change)
        }
        var salon = await sender.times.salon(before.booking.salonID)
        change.kind = .reschedule(to: try await salon.time(of: newTime), changing: options)
        do {
            try await checkSlot(of: change, at: &salon)
        } catch {
            throw await sender.namingOwnBooking(in: error, at: change.requested, moving: change.id)
                .withTimes(on: salon.zonedClock)
        }
        return Plan(change: change, salon: salon)
    }

    /// Looks up the current appointment on the server.
    private func appointment(_ id: String) async throws(Failure) -> Appointment {
        let list: ReportedAppointments
        do {
            list = try await sender.server.lookUp()
        } catch {
            throw error.beforeSending
        }
        if let found = list.appointments.first(where: { $0.id == id }) {
            if let appointment = found.appointment { return appointment }
            throw .invalidData(
                reason: "the server lists appointment \(id) without its salon, time, or phone"
            )
        }
        if !list.appointments.isEmpty, list.appointments.allSatisfy({ $0.id == nil }) {
            throw .changesUnsupported(reason: "its appointments have no id")
        }
        throw .appointmentNotFound(id: id, reason: "the server does not list it")
    }

    private func check(
        _ appointment: Appointment,
        _ request: ChangeRequest
    ) throws(Failure) {
        guard appointment.isActive else {
            throw .appointmentNotFound(id: request.id, reason: "it was cancelled")
        }
        guard appointment.booking.time.instant > sender.clock.now else {
            throw .invalidRequest(
                field: "id",
                reason: "names an appointment in the past"
            )
        }
        // The server decides about a version above the listed one, because its list may lag behind.
        if let requested = request.version, let listed = appointment.version, listed > requested {
            throw .versionConflict(current: appointment)
        }
    }

    /// Checks the new time of an appointment.
    private func checkSlot(
        of change: AppointmentChange,
        at salon: inout RequestedSalon
    ) async throws(Failure) {
        let moved = change.requested
        try BookingRules.check(moved.time, now: sender.clock.now)
        try await sender.check(moved, moving: change.before, at: &salon)
        // If the old and the new time overlap, the server would report the slot as taken by the
        // appointment itself.
        if !overlaps(change.before, moved, at: salon) {
            try await sender.confirmAvailability(of: moved, moving: change.id)
        }
    }

    /// Whether the times that the appointment takes before and after the move may overlap. Both
    /// include buffers. If they are not known, each is assumed to take a day.
    private func overlaps(
        _ before: Appointment,
        _ moved: BookingRequest,
        at salon: RequestedSalon
    ) -> Bool {
        guard case .known(let salon, _) = salon.lookup else {
            let distance = moved.time.instant.seconds(since: before.booking.time.instant)
            return distance.magnitude < 86_400
        }
        let old = BusyInterval(of: before, at: salon)
        let new = BusyInterval(of: before.moved(by: moved, at: salon), at: salon)
        return old.start < new.end && new.start < old.end
    }
}

extension Appointment {
    /// This appointment as `booking`, which moves it. It keeps only a service that `salon` has removed;
    /// otherwise, the service is booked anew, as the salon has it.
    func moved(by booking: BookingRequest, at salon: Salon) -> Appointment {
        let isRemoved = salon.service(booking.options.serviceID) == nil
        return Appointment(booking: booking, bookedService: isRemoved ? bookedService : nil)
    }
}
