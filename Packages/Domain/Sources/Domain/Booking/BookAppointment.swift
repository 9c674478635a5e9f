/// The use case that books an appointment: each request becomes one booking or one clear error.
///
/// The intent is stored durably before the first byte is sent. After a crash, the next start of the
/// program finds the intent and asks the server for the outcome. It does not book again.
public struct BookAppointment: Sendable {
    let sender: IntentSender

    /// Creates the use case. `makeKey` makes idempotency keys, which no one must be able to guess; by
    /// default, they are random UUIDs.
    public init(
        server: any BookingAPI,
        journal: any BookingJournal,
        cache: any ListCache<Appointment>,
        counter: any ChangeCounter,
        times: ReadSalonTime,
        clock: any WallClock,
        pauses: any Pausing,
        makeKey: @escaping @Sendable () -> String = { Identifier.random().description }
    ) {
        sender = IntentSender(
            server: server,
            journal: journal,
            cache: cache,
            counter: counter,
            times: times,
            clock: clock,
            pauses: pauses,
            makeKey: makeKey
        )
    }

    /// Books `request` under `key`, or under a new key if it is nil.
    ///
    /// A repeated request with the same key returns the outcome of the first one. A request without
    /// a key joins an open intent for the same salon, instant, phone, service, staff member, and
    /// seats; if the email or note differs, this throws `inDoubt`. Booking the same slot twice
    /// therefore requires two keys.
    /// Pass `salon` if you have already looked up the salon of the request.
    public func book(
        _ request: BookingRequest,
        at salon: RequestedSalon? = nil,
        key: String? = nil
    ) async throws(Failure) -> BookingConfirmation {
        CallBudget.current?.reserveLookup()
        let request = request.normalized
        if key == nil, let late = try await sender.lateConfirmation(of: request) { return late }
        if let earlier = try await earlierIntent(request, at: salon, key) {
            return try await sender.resume(earlier.repeated(by: request))
        }
        if Task.isCancelled { throw .cancelled }
        let intent = sender.makeIntent(.book(request), key: key)
        do {
            return try await sender.begin(intent, joiningSameBooking: key == nil) {
                earlier throws(Failure) in
                try Self.check(earlier, isFor: request, key: key)
            }
        } catch {
            throw await sender.namingOwnBooking(in: error, at: request)
        }
    }

    /// Predicts the result of ``book(_:at:key:)``. Throws the error that the booking would throw,
    /// as far as it can be predicted. Sends queries to the server but changes nothing.
    public func preview(
        _ request: BookingRequest,
        at salon: RequestedSalon? = nil,
        key: String? = nil
    ) async throws(Failure) -> BookingPreview {
        let request = request.normalized
        let salon = if let salon { salon } else { await sender.times.salon(request.salonID) }
        if let earlier = try await earlierIntent(request, at: salon, key) {
            return try await sender.preview(earlier.repeated(by: request))
        }
        let after = await sender.predicted(Appointment(booking: request), at: salon, moving: nil)
        return BookingPreview(after: after)
    }

    /// Throws ``Failure/journal(reason:)`` if the journal cannot be written.
    public func checkJournal() throws(Failure) { try sender.checkJournal() }

    /// Returns the intent that `request` repeats. Returns nil if the request is new and passes
    /// every check.
    private func earlierIntent(
        _ request: BookingRequest,
        at salon: RequestedSalon?,
        _ key: String?
    ) async throws(Failure) -> BookingIntent? {
        if let earlier = try sender.earlierIntent(key, like: request) {
            try Self.check(earlier, isFor: request, key: key)
            return earlier
        }
        try BookingRules.check(request, now: sender.clock.now)
        var salon = if let salon { salon } else { await sender.times.salon(request.salonID) }
        try await sender.check(request, at: &salon)
        // The caller's own hold takes the slot, so the server would report it as taken.
        if request.holdID != nil { return nil }
        do {
            try await sender.confirmAvailability(of: request)
        } catch {
            throw await sender.namingOwnBooking(in: error, at: request)
        }
        return nil
    }

    private static func check(
        _ earlier: BookingIntent,
        isFor request: BookingRequest,
        key: String?
    ) throws(Failure) {
        if case .book(let first) = earlier.action, first.isEquivalent(to: request) { return }
        if key != nil { throw .idempotencyConflict(key: earlier.key) }
        throw .inDoubt(
            earlier,
            "the same booking with a different email or note is in doubt; resolve it first, or "
                + "pass a new key to book twice"
        )
    }
}

/// A booking, or a change to one, that the server confirmed.
public struct BookingConfirmation: Sendable, Hashable {
    /// The confirmed appointment.
    public var appointment: Appointment
    /// The idempotency key under which it was requested.
    public var key: String
    /// Why the appointment could not be cached; nil if it was cached.
    public var cacheError: Failure?
}

/// The predicted result of a booking or a change.
public struct BookingPreview: Sendable, Hashable {
    /// The appointment before a change; nil for a booking.
    public var before: Appointment?
    /// The appointment after the booking or change.
    public var after: Appointment
    /// The key of the earlier request that this one repeats; nil for a new request.
    public var repeatedKey: String?
    /// Whether an earlier request has already done it. If so, nothing would be sent.
    public var isDone = false
}

extension BookingPreview {
    /// Previews the repetition of `earlier`. `found` is its appointment if it has been done.
    init(repeating earlier: BookingIntent, found: Appointment?) {
        if case .change(let change) = earlier.action { before = change.before }
        after = found ?? earlier.action.outcome
        repeatedKey = earlier.key
        isDone = found != nil
    }
}
