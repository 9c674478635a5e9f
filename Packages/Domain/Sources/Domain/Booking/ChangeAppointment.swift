/// The use case that gives an appointment another time, or calls it off: each accepted request
/// becomes one change or one clear error.
///
/// It has the life of a booking (see ``BookAppointment``), and names the version that it is about: an
/// appointment that is another by then is left as it is.
public struct ChangeAppointment: Sendable {
    let sender: IntentSender
    let slots: SlotCheck
    let times: ReadSalonTime
    let keys: any IdempotencyKeySource

    /// Composes the use case, on what `booking` is composed of.
    public init(_ booking: BookAppointment) {
        sender = booking.sender
        slots = booking.slots
        keys = booking.keys
        times = ReadSalonTime(salons: booking.slots.salons, zones: booking.slots.zones)
    }

    /// Does `request` under `key`, or under a new key.
    ///
    /// The same key with the same request returns the first answer.
    public func change(_ request: ChangeRequest, key: String? = nil) async throws(BookingError)
        -> BookingConfirmation
    {
        if let earlier = try sender.earlier(key) { return try await again(earlier, request) }
        let change = try await plan(request)
        if Task.isCancelled { throw .cancelled }
        let intent = BookingIntent(
            key: key ?? keys.makeKey(),
            action: .change(change),
            begunAt: slots.clock.now,
            caller: sender.remote.caller
        )
        do throws(BookingError) {
            // A different process may have used the key since it was looked for.
            return try await sender.begin(intent, joiningEqual: false) {
                earlier throws(BookingError) in
                _ = try await check(earlier, isFor: request)
            }
        } catch {
            throw await onClock(of: change.before, error)
        }
    }

    /// The appointment before and after what ``change(_:key:)`` would do; throws what that would
    /// throw, as far as it can be known. Reads and asks, and changes nothing.
    public func preview(_ request: ChangeRequest, key: String? = nil) async throws(BookingError)
        -> (before: Appointment, after: Appointment)
    {
        if let earlier = try sender.earlier(key) {
            let before = try await check(earlier, isFor: request).before
            return (before, try await sender.preview(earlier))
        }
        let change = try await plan(request)
        // The server would judge a version that the list does not show yet; a preview has only the
        // list.
        guard request.version == nil || request.version == change.before.version else {
            throw .versionConflict(current: change.before)
        }
        return (change.before, change.outcome)
    }

    private func again(
        _ earlier: BookingIntent,
        _ request: ChangeRequest
    ) async throws(BookingError) -> BookingConfirmation {
        let change = try await check(earlier, isFor: request)
        do throws(BookingError) {
            return try await sender.resume(earlier)
        } catch {
            throw await onClock(of: change.before, error)
        }
    }

    /// The change that `earlier` is, where `request` asks for the same.
    private func check(
        _ earlier: BookingIntent,
        isFor request: ChangeRequest
    ) async throws(BookingError) -> AppointmentChange {
        guard case .change(let change) = earlier.action, change.id == request.id,
            request.version == nil || request.version == change.version
        else { throw .idempotencyConflict(key: earlier.key) }
        switch (change.kind, request.kind) {
        case (.cancel, .cancel): return change
        case (.reschedule(let time), .reschedule(let asked)):
            if try await read(asked, for: change.before).instant == time.instant { return change }
        default: break
        }
        throw .idempotencyConflict(key: earlier.key)
    }
}
