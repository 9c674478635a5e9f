/// The port to the server that holds times.
public protocol HoldAPI: Sendable {
    /// Asks once for a hold of the time in `request` under `key`. It should last `minutes`, or the
    /// server's default if that is nil.
    func hold(_ request: BookingRequest, minutes: Int?, key: String) async throws(HoldServerError)
        -> GrantedHold

    /// Releases the hold `id`. Succeeds if the server states that it has already ended.
    func release(_ id: String) async throws(HoldServerError)
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

/// Why a request about a hold failed.
public enum HoldServerError: Error, Sendable, Hashable {
    /// The caller has too many holds, or sends too many requests (429).
    case tooMany(reason: String, retryAfterSeconds: Int?)
    /// The server knows no hold with this id.
    case notFound(reason: String)
    /// The server cannot hold times.
    case unsupported(reason: String)
    /// Any failure that a booking can have, too.
    case failed(BookingServerError)
}

/// A time that a server reserves for a customer for a few minutes.
public struct Hold: Sendable, Hashable {
    /// The server's identifier, which the booking names.
    public var id: String
    /// When the hold ends, by the server's clock.
    public var expiresAt: Timestamp
    /// The staff member who is reserved; nil if none is, or the server reports none.
    public var staffID: String?

    /// Creates a hold.
    public init(id: String, expiresAt: Timestamp, staffID: String? = nil) {
        self.id = id
        self.expiresAt = expiresAt
        self.staffID = staffID
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

/// Why a time was not held, or a hold was not released.
public enum HoldError: Error, Sendable, Hashable {
    /// A reason that a booking can have, too.
    case notHeld(BookingError)
    /// The caller has too many holds, or sends too many requests (429).
    case tooMany(reason: String, retryAfterSeconds: Int?)
    /// The server knows no hold with this id.
    case notFound(id: String, reason: String)
    /// The server cannot hold times.
    case unsupported(reason: String)
    /// The time may be held. A hold ends by itself; a server that honors keys returns it if the
    /// request is repeated under `key`.
    case inDoubt(key: String, reason: String, retryAfterSeconds: Int? = nil)
    /// The hold `id` may not have been released. It ends by itself.
    case releaseInDoubt(id: String, reason: String, retryAfterSeconds: Int? = nil)
}
