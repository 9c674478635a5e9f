/// A cached value and its age.
public struct CacheInspection<Value: Sendable>: Sendable {
    /// The value.
    public var value: Value
    /// When the server sent it, or confirmed that it is current.
    public var fetchedAt: Timestamp
    /// Its age in seconds; 0 if it was fetched in the future.
    public var ageSeconds: Int64
    /// When it expires; nil for never.
    public var expiresAt: Timestamp?
    /// Whether it has not expired.
    public var isFresh: Bool
}
