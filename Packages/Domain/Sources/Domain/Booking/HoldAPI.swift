/// The port to the server that holds times.
public protocol HoldAPI: Sendable {
    /// Asks once for a hold of the time in `request` under `key`. It should last `minutes`, or the
    /// server's default if that is nil.
    func hold(_ request: BookingRequest, minutes: Int?, key: String) async throws(AttemptError)
        -> GrantedHold

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
