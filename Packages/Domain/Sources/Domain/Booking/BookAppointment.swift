/// The use case that books: each accepted request becomes one booking or one clear error.
///
/// The intent is durable before the first byte is sent. Whatever crashes afterwards, the next start
/// knows that there may be a booking, and asks the server rather than booking again.
public struct BookAppointment: Sendable {
    let sender: IntentSender
    let slots: SlotCheck
    let keys: any IdempotencyKeySource

    /// Composes the use case.
    public init(
        server: any BookingAPI,
        journal: any BookingJournal,
        ledger: any AppointmentLedger,
        counter: any ChangeCounter,
        salons: any SalonDirectory,
        zones: any ZoneSource,
        clock: any WallClock,
        pauses: any Pausing,
        keys: any IdempotencyKeySource
    ) {
        sender = IntentSender(
            server: server,
            journal: journal,
            ledger: ledger,
            counter: counter,
            clock: clock,
            pauses: pauses
        )
        slots = SlotCheck(server: server, salons: salons, zones: zones, clock: clock)
        self.keys = keys
    }

    /// Books `request` under `key`, or under a new key.
    ///
    /// The same key with the same request returns the first answer. Without a key, a request that
    /// equals an open intent joins it: two identical bookings need two keys. `salon` is the salon of
    /// the request if the caller has already looked it up.
    public func book(
        _ request: BookingRequest,
        at salon: RequestedSalon? = nil,
        key: String? = nil
    ) async throws(BookingError) -> BookingConfirmation {
        if let earlier = try await earlier(request, at: salon, key) {
            return try await sender.resume(earlier)
        }
        if Task.isCancelled { throw .cancelled }
        let intent = BookingIntent(
            key: key ?? keys.makeKey(),
            action: .book(request),
            begunAt: slots.clock.now,
            caller: sender.server.caller
        )
        do throws(BookingError) {
            return try await sender.begin(intent, joiningEqual: key == nil) {
                earlier throws(BookingError) in
                try Self.check(earlier, isFor: request, key: key)
            }
        } catch {
            throw await sender.namingOwnBooking(in: error, at: request)
        }
    }

    /// What ``book(_:at:key:)`` would do. Throws what that would throw, as far as it can be known.
    /// Reads and asks the server, and changes nothing.
    public func preview(
        _ request: BookingRequest,
        at salon: RequestedSalon? = nil,
        key: String? = nil
    ) async throws(BookingError) -> BookingPreview {
        if let earlier = try await earlier(request, at: salon, key) {
            return try await sender.preview(earlier)
        }
        return BookingPreview(after: Appointment(booking: request))
    }

    /// Throws `journal` if a booking or a change could not be journaled.
    public func checkJournal() throws(BookingError) { try sender.checkJournal() }

    /// The intent that `request` repeats; nil if it is new. A new request is checked first.
    private func earlier(
        _ request: BookingRequest,
        at salon: RequestedSalon?,
        _ key: String?
    ) async throws(BookingError) -> BookingIntent? {
        if let earlier = try sender.earlier(key, like: request) {
            try Self.check(earlier, isFor: request, key: key)
            return earlier
        }
        try BookingRules.check(request, now: slots.clock.now)
        var salon = if let salon { salon } else { await slots.salon(request.salonID) }
        try await slots.check(request, at: &salon)
        do throws(BookingError) {
            try await slots.confirmAvailability(of: request)
        } catch {
            throw await sender.namingOwnBooking(in: error, at: request)
        }
        return nil
    }

    private static func check(
        _ earlier: BookingIntent,
        isFor request: BookingRequest,
        key: String?
    ) throws(BookingError) {
        if case .book(let first) = earlier.action, first.isEquivalent(to: request) { return }
        if key != nil { throw .idempotencyConflict(key: earlier.key) }
        throw .inDoubt(
            earlier,
            "the same booking with a different email or note is in doubt; resolve it first, or use "
                + "a key of your own to book twice"
        )
    }
}
