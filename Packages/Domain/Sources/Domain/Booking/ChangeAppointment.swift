/// The use case that moves and cancels appointments: each accepted request becomes one change or one
/// clear error.
///
/// A change goes through the same stages as a booking (see ``BookAppointment``). It names the version
/// of the appointment, and has no effect on a later version.
public struct ChangeAppointment: Sendable {
    let sender: IntentSender
    let slots: SlotCheck
    private let keys: any IdempotencyKeySource

    /// Composes the use case from the parts of `booking`.
    public init(_ booking: BookAppointment) {
        sender = booking.sender
        slots = booking.slots
        keys = booking.keys
    }

    /// A change to send, and its salon if that was looked up on the way.
    struct Plan {
        var change: AppointmentChange
        var salon: RequestedSalon?
    }

    /// Does `request` under `key`, or under a new key.
    ///
    /// The same key with the same request returns the first answer.
    public func change(_ request: ChangeRequest, key: String? = nil) async throws(BookingError)
        -> BookingConfirmation
    {
        if let earlier = try sender.earlier(key) {
            let plan = try await plan(repeating: earlier, request)
            do throws(BookingError) {
                return try await sender.resume(earlier)
            } catch {
                throw await onSalonClock(error, plan)
            }
        }
        let plan = try await plan(request)
        if Task.isCancelled { throw .cancelled }
        let intent = BookingIntent(
            key: key ?? keys.makeKey(),
            action: .change(plan.change),
            begunAt: slots.clock.now,
            caller: sender.server.caller
        )
        do throws(BookingError) {
            return try await sender.begin(intent, joiningEqual: false) {
                // A different process may have used the key since the journal was read.
                earlier throws(BookingError) in
                _ = try await self.plan(repeating: earlier, request)
            }
        } catch {
            throw await onSalonClock(error, plan)
        }
    }

    /// What ``change(_:key:)`` would do. Throws what that would throw, as far as it can be known. Reads
    /// and asks the server, and changes nothing.
    public func preview(_ request: ChangeRequest, key: String? = nil) async throws(BookingError)
        -> BookingPreview
    {
        if let earlier = try sender.earlier(key) {
            _ = try await plan(repeating: earlier, request)
            return try await sender.preview(earlier)
        }
        let change = try await plan(request).change
        // The server's list may lag behind a version that the server would accept, but a preview has
        // only the list.
        guard request.version == nil || request.version == change.before.version else {
            throw .versionConflict(current: change.before)
        }
        return BookingPreview(before: change.before, after: change.outcome)
    }

    /// The change that `earlier` is, if `request` asks for the same.
    private func plan(
        repeating earlier: BookingIntent,
        _ request: ChangeRequest
    ) async throws(BookingError) -> Plan {
        guard case .change(let change) = earlier.action, change.id == request.id,
            request.version == nil || request.version == change.version
        else { throw .idempotencyConflict(key: earlier.key) }
        switch (change.kind, request.kind) {
        case (.cancel, .cancel): return Plan(change: change)
        case (.reschedule(let time), .reschedule(let asked)):
            var salon = await slots.salon(change.before.booking.salonID)
            let askedTime = try await read(asked, at: &salon)
            if askedTime.instant == time.instant { return Plan(change: change, salon: salon) }
        default: break
        }
        throw .idempotencyConflict(key: earlier.key)
    }

    /// The error with its times on the clock of the salon, and with the caller's own booking.
    private func onSalonClock(_ error: BookingError, _ plan: Plan) async -> BookingError {
        switch error {
        case .slotUnavailable, .outsideOpeningHours, .notBookable:
            let wanted = plan.change.outcome.booking
            let salon =
                if let salon = plan.salon { salon } else { await slots.salon(wanted.salonID) }
            let named = await sender.namingOwnBooking(in: error, at: wanted, moving: plan.change.id)
            return named.offering(on: salon.zonedClock)
        default: return error
        }
    }
}
