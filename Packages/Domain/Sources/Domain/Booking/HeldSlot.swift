/// A time that is held, and for how long.
public struct HeldSlot: Sendable, Hashable {
    /// The hold.
    public var hold: Hold
    /// The seconds until the hold ends, measured by the server's clock; 0 if it has ended.
    public var secondsLeft: Int64
    /// The idempotency key of the request.
    public var key: String
}
