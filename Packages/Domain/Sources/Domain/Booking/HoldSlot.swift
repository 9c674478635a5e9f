/// The use case that holds a time for a few minutes, so that no one else can book it while the
/// customer decides.
///
/// A hold is not journaled and never sent twice: if the response is lost, the hold, if any, ends by
/// itself.
public struct HoldSlot: Sendable {
    /// How many minutes a hold can last.
    public static let minutes = 1...15

    private let server: any HoldAPI
    private let sender: IntentSender

    /// Creates the use case with `server` and the dependencies of `booking`.
    public init(server: any HoldAPI, _ booking: BookAppointment) {
        self.server = server
        sender = booking.sender
    }

    /// Holds a time.
    ///
    /// A server that honors keys answers a repeated request with the same hold.
    ///
    /// - Parameters:
    ///   - request: The time, and what is to be booked at it.
    ///   - salon: The salon of the request, if it has already been looked up.
    ///   - minutes: How long the hold should last, in ``minutes``; nil for the server's default.
    ///   - key: The idempotency key; nil for a new one.
    public func hold(
        _ request: BookingRequest,
        at salon: RequestedSalon? = nil,
        minutes: Int? = nil,
        key: String? = nil
    ) async throws(HoldError) -> HeldSlot {
        let request = request.normalized
        try await check(request, at: salon, minutes: minutes, key: key)
        if Task.isCancelled { throw .notHeld(.cancelled) }
        let key = key ?? sender.makeKey()
        do {
            let granted = try await server.hold(request, minutes: minutes, key: key)
            let left = granted.hold.expiresAt.seconds(since: granted.serverTime ?? sender.clock.now)
            return HeldSlot(hold: granted.hold, secondsLeft: max(left, 0), key: key)
        } catch {
            throw holdError(error, request, key)
        }
    }

    /// Throws the error that ``hold(_:at:minutes:key:)`` would throw, as far as it can be predicted.
    /// Sends queries to the server but holds nothing.
    public func preview(
        _ request: BookingRequest,
        at salon: RequestedSalon? = nil,
        minutes: Int? = nil,
        key: String? = nil
    ) async throws(HoldError) {
        let request = request.normalized
        try await check(request, at: salon, minutes: minutes, key: key)
        // A repeated request would find its own hold, which takes the time.
        if key != nil { return }
        do { try await sender.confirmAvailability(of: request) } catch {
            throw .notHeld(error)
        }
    }

    /// Releases the hold `id`. Succeeds if the server states that it has already ended.
    public func release(_ id: String) async throws(HoldError) {
        do { try BookingRules.check(holdID: id) } catch {
            throw .notHeld(error)
        }
        if Task.isCancelled { throw .notHeld(.cancelled) }
        do { try await server.release(id) } catch {
            throw releaseError(error, id)
        }
    }

    private func check(
        _ request: BookingRequest,
        at salon: RequestedSalon?,
        minutes: Int?,
        key: String?
    ) async throws(HoldError) {
        do throws(BookingError) {
            if let key { try BookingRules.check(key: key) }
            if let minutes, !Self.minutes.contains(minutes) {
                let reason = "must be \(Self.minutes.lowerBound) to \(Self.minutes.upperBound)"
                throw .invalidRequest(field: "minutes", reason: reason)
            }
            try BookingRules.check(request, now: sender.clock.now)
            var salon = if let salon { salon } else { await sender.times.salon(request.salonID) }
            try await sender.check(request, at: &salon)
        } catch {
            throw .notHeld(error)
        }
    }
}

extension HoldSlot {
    private func holdError(
        _ error: HoldServerError,
        _ request: BookingRequest,
        _ key: String
    ) -> HoldError {
        if case .failed(let failure) = error, let doubt = failure.doubt {
            return .inDoubt(
                key: key,
                reason: doubt.reason,
                retryAfterSeconds: doubt.retryAfterSeconds
            )
        }
        return switch error {
        case .tooMany(let reason, let seconds):
            .tooMany(reason: reason, retryAfterSeconds: seconds)
        case .unsupported(let reason), .notFound(let reason): .unsupported(reason: reason)
        case .failed(.unproven(.notAuthenticated(let reason))):
            .notHeld(.notAuthenticated(reason: reason))
        case .failed(.notSent) where Task.isCancelled: .notHeld(.cancelled)
        case .failed(let error):
            .notHeld(BookingError(error, of: sender.makeIntent(.book(request), key: key)))
        }
    }

    private func releaseError(_ error: HoldServerError, _ id: String) -> HoldError {
        if case .failed(let failure) = error, let doubt = failure.doubt {
            return .releaseInDoubt(
                id: id,
                reason: doubt.reason,
                retryAfterSeconds: doubt.retryAfterSeconds
            )
        }
        return switch error {
        case .tooMany(let reason, let seconds):
            .tooMany(reason: reason, retryAfterSeconds: seconds)
        case .unsupported(let reason): .unsupported(reason: reason)
        case .notFound(let reason): .notFound(id: id, reason: reason)
        case .failed(.unproven(.notAuthenticated(let reason))):
            .notHeld(.notAuthenticated(reason: reason))
        case .failed(.notSent) where Task.isCancelled: .notHeld(.cancelled)
        case .failed(.notSent(let reason, let seconds)):
            .notHeld(.requiresConnection(reason: reason, retryAfterSeconds: seconds))
        case .failed(.notAuthenticated(let reason)): .notHeld(.notAuthenticated(reason: reason))
        case .failed(.notAllowed(let reason)): .notHeld(.notAllowed(reason: reason))
        case .failed(.notConfigured): .notHeld(.notConfigured)
        case .failed(.rejected(let status, let reason)):
            .notHeld(.rejected(status: status, reason: reason))
        case .failed(.conflict(let reason?)):
            .notHeld(.rejected(status: 409, reason: reason))
        case .failed: .notHeld(.rejected(status: nil, reason: "it did not release the hold"))
        }
    }
}

extension BookingServerError {
    /// Why it is not known whether the hold was made or released; nil if it is known.
    fileprivate var doubt: (reason: String, retryAfterSeconds: Int?)? {
        switch self {
        case .noResponse(let reason, _, let seconds), .stillProcessing(let reason, _, let seconds):
            (reason, seconds)
        case .accepted(let reason, _), .unclear(let reason): (reason, nil)
        case .unproven(.notAuthenticated): nil
        case .unproven(let rejection): (rejection.words, rejection.retryAfterSeconds)
        default: nil
        }
    }

    /// What a rejection that need not be the server's own says.
    private var words: String {
        switch self {
        case .notSent(let reason, _), .rejected(_, let reason), .notAllowed(let reason): reason
        case .redirected(let url): "the request was redirected to \(url)"
        default: "it was rejected, perhaps not by the server"
        }
    }

    private var retryAfterSeconds: Int? {
        if case .notSent(_, let seconds) = self { seconds } else { nil }
    }
}
