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
    private let own: OwnHolds

    /// Creates the use case with `server` and the dependencies of `booking`. Holds are added to `own`.
    public init(server: any HoldAPI, _ booking: BookAppointment, own: OwnHolds = OwnHolds()) {
        self.server = server
        self.own = own
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
    ) async throws(Failure) -> HeldSlot {
        let request = request.normalized
        try await check(request, at: salon, minutes: minutes, key: key)
        if Task.isCancelled { throw .cancelled }
        let key = key ?? sender.makeKey()
        do {
            let granted = try await server.hold(request, minutes: minutes, key: key)
            let left = granted.hold.expiresAt.seconds(since: granted.serverTime ?? sender.clock.now)
            let end = sender.clock.now.advanced(bySeconds: left)
            own.add(OwnHold(granted.hold, of: request, end: end))
            return HeldSlot(hold: granted.hold, secondsLeft: max(left, 0), key: key)
        } catch {
            throw failure(error, request, key)
        }
    }

    /// Predicts what ``hold(_:at:minutes:key:)`` would hold, as an appointment. Throws the error that it
    /// would throw, as far as it can be predicted. Sends queries to the server but holds nothing.
    public func preview(
        _ request: BookingRequest,
        at salon: RequestedSalon? = nil,
        minutes: Int? = nil,
        key: String? = nil
    ) async throws(Failure) -> Appointment {
        let request = request.normalized
        let salon = if let salon { salon } else { await sender.times.salon(request.salonID) }
        try await check(request, at: salon, minutes: minutes, key: key)
        // A repeated request would find its own hold, which takes the time.
        if key != nil { return Appointment(booking: request) }
        try await sender.confirmAvailability(of: request)
        return await sender.predicted(Appointment(booking: request), at: salon, moving: nil)
    }

    /// The hold `id` as far as it is known: as this process got it, or as the server states it now. Nil
    /// if neither knows its booking.
    public func known(_ id: String) async -> Hold? {
        if let own = own.hold(id) { return own.hold }
        return await stated(id)?.hold
    }

    /// What is released with the hold `id`, and whether it has ended already; nil if that is not
    /// known.
    public func preview(releasing id: String) async -> (hold: Hold, hasEnded: Bool)? {
        let stated = await stated(id)
        guard let hold = stated?.hold ?? own.hold(id)?.hold else { return nil }
        return (hold, hold.expiresAt <= stated?.serverTime ?? sender.clock.now)
    }

    private func stated(_ id: String) async -> GrantedHold? {
        guard (try? BookingRules.check(holdID: id)) != nil,
            let stated = (try? await server.held(id)) ?? nil, stated.hold.id == id
        else { return nil }
        return stated.hold.booking == nil ? nil : stated
    }

    /// Releases the hold `id`. Succeeds if the server states that it has already ended.
    public func release(_ id: String) async throws(Failure) {
        try BookingRules.check(holdID: id)
        if Task.isCancelled { throw .cancelled }
        do { try await server.release(id) } catch {
            throw failure(error, releasing: id)
        }
        own.end(id)
    }

    private func check(
        _ request: BookingRequest,
        at salon: RequestedSalon?,
        minutes: Int?,
        key: String?
    ) async throws(Failure) {
        if let key { try BookingRules.check(key: key) }
        if let minutes, !Self.minutes.contains(minutes) {
            let reason = "must be \(Self.minutes.lowerBound) to \(Self.minutes.upperBound)"
            throw .invalidRequest(field: "minutes", reason: reason)
        }
        try BookingRules.check(request, now: sender.clock.now)
        var salon = if let salon { salon } else { await sender.times.salon(request.salonID) }
        try await sender.check(request, at: &salon)
    }
}

extension HoldSlot {
    private func failure(
        _ error: AttemptError,
        _ request: BookingRequest,
        _ key: String
    ) -> Failure {
        if let doubt = error.doubt {
            return .holdInDoubt(
                key: key,
                reason: doubt.reason,
                retryAfterSeconds: doubt.retryAfterSeconds
            )
        }
        return switch error {
        case .unsupported(let reason), .notFound(let reason): .holdsUnsupported(reason: reason)
        case .unproven(let rejection): Failure(rejection)
        case .notSent where Task.isCancelled: .cancelled
        default: Failure(error, of: sender.makeIntent(.book(request), key: key))
        }
    }

    private func failure(_ error: AttemptError, releasing id: String) -> Failure {
        if let doubt = error.doubt {
            return .releaseInDoubt(
                id: id,
                reason: doubt.reason,
                retryAfterSeconds: doubt.retryAfterSeconds
            )
        }
        return switch error {
        case .unsupported(let reason): .holdsUnsupported(reason: reason)
        case .notFound(let reason): .holdNotFound(id: id, reason: reason)
        case .unproven(let rejection): Failure(rejection)
        case .notSent where Task.isCancelled: .cancelled
        default: Failure(error)
        }
    }
}

extension AttemptError {
    /// Why it is not known whether the hold was made or released; nil if it is known. A rejection that
    /// need not be the server's own leaves it open, but that of the credentials does not.
    fileprivate var doubt: (reason: String, retryAfterSeconds: Int?)? {
        switch self {
        case _ where isInDoubt: (reason, retryAfterSeconds)
        case .unproven(.notAuthenticated): nil
        case .unproven: (reason, retryAfterSeconds)
        default: nil
        }
    }
}

/// The port to the server that holds times.
public protocol HoldAPI: Sendable {
    /// Asks once for a hold of the time in `request` under `key`. It should last `minutes`, or the
    /// server's default if that is nil.
    func hold(_ request: BookingRequest, minutes: Int?, key: String) async throws(AttemptError)
        -> GrantedHold

    /// What the server states about the hold `id`; nil if it does not state the booking.
    func held(_ id: String) async throws(AttemptError) -> GrantedHold?

    /// Releases the hold `id`. Succeeds if the server states that it has already ended.
    func release(_ id: String) async throws(AttemptError)
}

/// A hold that a server has just granted.
public struct GrantedHold: Sendable, Hashable {
    /// The hold.
    public var hold: Hold
    /// The time of the response by the server's clock (`Date`, RFC 9110, section 6.6.1); nil if the
    /// server sent none.
    public var serverTime: Timestamp?

    /// Creates a granted hold.
    public init(_ hold: Hold, serverTime: Timestamp? = nil) {
        self.hold = hold
        self.serverTime = serverTime
    }
}

/// A time that a server reserves for a customer for a few minutes.
public struct Hold: Sendable, Hashable {
    /// The server's identifier, which the booking names.
    public var id: String
    /// When the hold ends, by the server's clock.
    public var expiresAt: Timestamp
    /// The staff member who is reserved; nil if none is, or the server reports none.
    public var staffID: String?
    /// The booking for which the time is held, with the staff member only if the customer chose one;
    /// nil if the server does not report it.
    public var booking: BookingRequest?

    /// Creates a hold.
    public init(
        id: String,
        expiresAt: Timestamp,
        staffID: String? = nil,
        booking: BookingRequest? = nil
    ) {
        self.id = id
        self.expiresAt = expiresAt
        self.staffID = staffID
        self.booking = booking
    }
}

extension Hold {
    /// What is held, with the staff member who is reserved; nil if the server does not report it.
    public var appointment: Appointment? { booking.map(appointment) }

    /// What is held, with the staff member who is reserved.
    ///
    /// - Parameter booking: The booking for which the time is held.
    public func appointment(of booking: BookingRequest) -> Appointment {
        var appointment = Appointment(booking: booking)
        if let staffID { appointment.booking.options.staffID = staffID }
        return appointment
    }
}

/// A time that is held, and for how long.
public struct HeldSlot: Sendable, Hashable {
    /// The hold.
    public var hold: Hold
    /// The seconds until the hold ends, by the server's clock if it sent the time; 0 if it has
    /// ended.
    public var secondsLeft: Int64
    /// The idempotency key of the request.
    public var key: String
}
