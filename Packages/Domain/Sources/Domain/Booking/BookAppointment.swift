/// The use case that books: each accepted request becomes one booking or one clear error.
///
/// The intent is durable before the first byte is sent, so that whatever crashes afterwards, the
/// next start knows that there may be a booking and asks, rather than books again.
public struct BookAppointment: Sendable {
    let sender: IntentSender
    let slots: SlotCheck
    let keys: any IdempotencyKeySource

    /// Composes the use case.
    public init(
        remote: any BookingRemote,
        journal: any BookingJournal,
        ledger: any AppointmentLedger,
        salons: any SalonDirectory,
        zones: any ZoneSource,
        clock: any WallClock,
        keys: any IdempotencyKeySource
    ) {
        sender = IntentSender(remote: remote, journal: journal, ledger: ledger)
        slots = SlotCheck(remote: remote, salons: salons, zones: zones, clock: clock)
        self.keys = keys
    }

    /// Books `request` under `key`, or under a new key.
    ///
    /// The same key with the same request gives the first answer again.
    public func book(_ request: BookingRequest, key: String? = nil) async throws(BookingError)
        -> Booked
    {
        if let key { try BookingRules.check(key: key) }
        let intent = BookingIntent(
            key: key ?? keys.makeKey(),
            action: .book(request),
            state: .pending,
            begunAt: slots.clock.now
        )
        // What was booked under this key must be told again even when its time has passed since.
        if key == nil { try await check(request) }
        if let earlier = try sender.begin(intent) {
            try Self.check(earlier, isFor: request)
            return try await sender.answerAgain(earlier)
        }
        do throws(BookingError) {
            if key != nil { try await check(request) }
            try await slots.confirmAvailability(of: request)
            if Task.isCancelled { throw .cancelled }
        } catch {
            try? sender.journal.settle(intent, as: .dropped)
            throw error
        }
        return try await sender.send(intent)
    }

    /// The appointment that ``book(_:key:)`` would make; throws what that would, as far as that
    /// can be known. Reads and asks, and changes nothing.
    public func rehearse(_ request: BookingRequest, key: String? = nil) async throws(BookingError)
        -> Appointment
    {
        if let earlier = try sender.earlier(key) {
            try Self.check(earlier, isFor: request)
            return try await sender.foresee(earlier)
        }
        try await check(request)
        try await slots.confirmAvailability(of: request)
        return Appointment(booking: request)
    }

    private func check(_ request: BookingRequest) async throws(BookingError) {
        try BookingRules.check(request, now: slots.clock.now)
        try await slots.check(request)
    }

    private static func check(
        _ earlier: BookingIntent,
        isFor request: BookingRequest
    ) throws(BookingError) {
        guard case .book(let first) = earlier.action, first.saysSame(as: request) else {
            throw .idempotencyConflict(key: earlier.key)
        }
    }
}
