extension BookAppointment {
    private static let attempts = 2

    /// Sends a written intent, and once more under the same key when no answer came.
    ///
    /// `wasSentBefore` tells that an earlier attempt of this intent may have arrived, so that a
    /// taken slot may be taken by ourselves.
    func send(_ intent: BookingIntent, wasSentBefore: Bool = false) async throws(BookingError)
        -> Booked
    {
        var mayHaveArrived = wasSentBefore
        var reason = "no answer"
        for _ in 0..<Self.attempts {
            do throws(BookingRemoteError) {
                let echo = try await remote.book(intent.request, key: intent.key)
                if echo.booking.isSameBooking(as: intent.request) {
                    return confirm(echo, of: intent)
                }
                mayHaveArrived = true
                reason = "the remote echoed another booking than it was asked for"
            } catch {
                let isOurs = try await settleRefusal(error, of: intent, mayHaveArrived)
                if let isOurs { return isOurs }
                if case .unanswered(let why) = error { (mayHaveArrived, reason) = (true, why) }
            }
            if Task.isCancelled { throw .inDoubt(key: intent.key, reason: reason) }
        }
        return try await lookUp(intent, because: reason)
    }

    /// Handles every end of an attempt but silence: throws for a clear no, gives the booking where
    /// the no was caused by an earlier attempt of ours, and nil where another attempt may be made.
    private func settleRefusal(
        _ refusal: BookingRemoteError,
        of intent: BookingIntent,
        _ mayHaveArrived: Bool
    ) async throws(BookingError) -> Booked? {
        switch refusal {
        case .unanswered: return nil
        case .notSent(let reason, _) where mayHaveArrived:
            return try await lookUp(intent, because: reason)
        case .slotUnavailable where mayHaveArrived:
            if let own = try await find(intent, because: "the slot is taken, perhaps by us") {
                return own
            }
        default: break
        }
        try? journal.settle(intent.key, as: .dropped)
        throw BookingError(refusal, of: intent)
    }

    /// Tells a repeated request how its first attempt ended, or takes it up again where the remote
    /// shows that there was no booking.
    func findOut(_ intent: BookingIntent, because reason: String) async throws(BookingError)
        -> Booked
    {
        if let booked = try await find(intent, because: reason) { return booked }
        return try await send(intent, wasSentBefore: true)
    }

    private func lookUp(_ intent: BookingIntent, because reason: String) async throws(BookingError)
        -> Booked
    {
        if let booked = try await find(intent, because: reason) { return booked }
        throw .inDoubt(key: intent.key, reason: reason)
    }

    /// The booking of `intent` among those that the remote holds; nil when it is not there.
    private func find(_ intent: BookingIntent, because reason: String) async throws(BookingError)
        -> Booked?
    {
        do throws(RemoteError) {
            let found = try await remote.appointments()
                .first { $0.booking.isSameBooking(as: intent.request) }
            return found.map { confirm($0, of: intent) }
        } catch {
            throw .inDoubt(key: intent.key, reason: "\(reason); looking it up: \(error)")
        }
    }

    /// Keeps a booking that the remote confirmed, and closes its intent.
    ///
    /// The booking stands whatever fails here: a cache error is told with it, and an intent that
    /// stays open is found again by the next resolution.
    func confirm(_ appointment: Appointment, of intent: BookingIntent) -> Booked {
        var booked = Booked(appointment: appointment, key: intent.key)
        do throws(CacheError) { try ledger.add(appointment) } catch { booked.cacheError = error }
        try? journal.settle(intent.key, as: .booked(appointment))
        return booked
    }
}

extension BookingError {
    /// The error of an attempt that the remote refused, or that never left.
    init(_ refusal: BookingRemoteError, of intent: BookingIntent) {
        switch refusal {
        case .notSent(let reason, let retryAfterSeconds):
            self = .requiresConnection(reason: reason, retryAfterSeconds: retryAfterSeconds)
        case .unanswered(let reason): self = .inDoubt(key: intent.key, reason: reason)
        case .slotUnavailable(let alternatives): self = .slotUnavailable(alternatives: alternatives)
        case .salonNotFound: self = .salonNotFound(intent.request.salonID)
        case .outsideOpeningHours(let reason): self = .outsideOpeningHours(nil, reason: reason)
        case .notBookable(let rule, let reason, let alternatives):
            self = .notBookable(rule: rule, reason: reason, alternatives: alternatives)
        case .idempotencyConflict: self = .idempotencyConflict(key: intent.key)
        case .rejected(let status, let reason): self = .rejected(status: status, reason: reason)
        case .notConfigured: self = .notConfigured
        }
    }
}
