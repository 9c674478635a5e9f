/// The use case that books: each accepted request becomes one booking or one clear error.
///
/// The intent is durable before the first byte is sent, so that whatever crashes afterwards, the
/// next start knows that there may be a booking and asks, rather than books again.
public struct BookAppointment: Sendable {
    let remote: any BookingRemote
    let journal: any BookingJournal
    let ledger: any AppointmentLedger
    let salons: any SalonDirectory
    let zones: any ZoneSource
    let clock: any WallClock
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
        self.remote = remote
        self.journal = journal
        self.ledger = ledger
        self.salons = salons
        self.zones = zones
        self.clock = clock
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
            request: request,
            state: .pending,
            begunAt: clock.now
        )
        // What was booked under this key must be told again even when its time has passed since.
        if key == nil { try await check(request) }
        if let earlier = try begin(intent) { return try await answerAgain(earlier, for: request) }
        do throws(BookingError) {
            if key != nil { try await check(request) }
            try await confirmAvailability(of: request)
            if Task.isCancelled { throw .cancelled }
        } catch {
            try? journal.settle(intent.key, as: .dropped)
            throw error
        }
        return try await send(intent)
    }

    private func check(_ request: BookingRequest) async throws(BookingError) {
        try BookingRules.check(request, now: clock.now)
        switch await salons.salon(request.salonID) {
        case .known(let salon): try await check(request, in: salon)
        case .absent: throw .salonNotFound(request.salonID)
        case .unknown: break
        }
    }

    /// A salon in a zone that is not known here is left to the remote.
    private func check(_ request: BookingRequest, in salon: Salon) async throws(BookingError) {
        let offset = request.time.offsetMinutes
        guard let clock = try? SalonClock(of: salon, zones: zones, offsetMinutes: offset) else {
            return
        }
        do throws(TimeRefusal) {
            _ = try clock.read(.wallClock(request.time))
        } catch {
            throw .invalidTime(error)
        }
        let schedule = Schedule(of: salon, on: clock)
        do throws(BookingError) {
            try BookingRules.check(request, by: schedule, now: self.clock.now)
        } catch {
            guard case .notBookable(let rule, let reason, let open) = error else { throw error }
            let free = await free(among: open, for: request)
            throw .notBookable(rule: rule, reason: reason, alternatives: free)
        }
    }

    /// Those of the times that are open which the remote knows to be free, where it tells.
    private func free(
        among open: [AppointmentTime],
        for request: BookingRequest
    ) async -> [AppointmentTime] {
        guard let first = open.first else { return [] }
        var nearest = request
        nearest.time = first
        switch try? await remote.availability(for: nearest) {
        case .available: return [first]
        case .taken(let alternatives): return alternatives
        case .notOffered, .salonNotFound, nil: return open
        }
    }

    private func begin(_ intent: BookingIntent) throws(BookingError) -> BookingIntent? {
        do throws(JournalError) {
            return try journal.begin(intent)
        } catch {
            throw .journal(reason: error.reason)
        }
    }

    private func answerAgain(
        _ earlier: BookingIntent,
        for request: BookingRequest
    ) async throws(BookingError) -> Booked {
        guard earlier.request.saysSame(as: request) else {
            throw .idempotencyConflict(key: earlier.key)
        }
        if case .booked(let appointment) = earlier.state {
            return Booked(appointment: appointment, key: earlier.key)
        }
        return try await findOut(earlier, because: "an earlier attempt was not answered")
    }

    private func confirmAvailability(of request: BookingRequest) async throws(BookingError) {
        let availability: SlotAvailability
        do throws(RemoteError) {
            availability = try await remote.availability(for: request)
        } catch {
            throw BookingError(beforeSending: error)
        }
        switch availability {
        case .available, .notOffered: return
        case .salonNotFound: throw .salonNotFound(request.salonID)
        case .taken(let alternatives): throw .slotUnavailable(alternatives: alternatives)
        }
    }
}

extension BookingError {
    /// The error of a booking that ended before it was sent.
    init(beforeSending error: RemoteError) {
        switch error {
        case .connectivity(let reason, let retryAfterSeconds):
            self = .requiresConnection(reason: reason, retryAfterSeconds: retryAfterSeconds)
        case .invalidData(let reason): self = .invalidData(reason: reason)
        case .notConfigured: self = .notConfigured
        case .cancelled: self = .cancelled
        }
    }
}
