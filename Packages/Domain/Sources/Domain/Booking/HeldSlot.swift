/// A time that is held, and for how long.
public struct HeldSlot: Sendable, Hashable {
    /// The hold.
    public var hold: Hold
    /// The seconds until the hold ends, measured by the server's clock; 0 if it has ended.
    public var secondsLeft: Int64
    /// The idempotency key of the request.
    public var key: String
}

/// Why a time was not held, or a hold was not released.
public enum HoldError: Error, Sendable, Hashable {
    /// A reason that a booking can have, too.
    case notHeld(BookingError)
    /// The server does not grant this caller a hold at the moment.
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
