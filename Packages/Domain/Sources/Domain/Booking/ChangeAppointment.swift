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
        if case .known(let salon, _)? = plan.salon?.lookup {
            after.bookedService = after.moved(by: after.booking, at: salon).bookedService
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
            let newTime = try await self.time(of: requested, at: &salon)
            if newTime.instant == time.instant { return Plan(change: change, salon: salon) }
        default: break
        }
        throw .idempotencyConflict(key: earlier.key)
    }

    /// Returns `error` with its times on the salon's clock and with the caller's own booking.
    private func onSalonClock(_ error: Failure, _ plan: Plan) async -> Failure {
        switch error {
        case .slotUnavailable, .outsideOpeningHours, .notBookable:
            let wanted = plan.change.requested
            let salon =
                if let salon = plan.salon { salon } else {
                    await sender.times.salon(wanted.salonID)
                }
            let named = await sender.namingOwnBooking(in: error, at: wanted, moving: plan.change.id)
            return named.withTimes(on: salon.zonedClock)
        default: return error
        }
    }
}
