/// A cached value and its age.
public struct CacheInspection<Value: Sendable>: Sendable {
    /// The value.
    public var value: Value
    /// Whether this is the whole value.
    public var isComplete: Bool
    /// When the server sent the value or last confirmed that it is current.
    public var fetchedAt: Timestamp
    /// The age in seconds; 0 if `fetchedAt` is in the future.
    public var ageSeconds: Int64
    /// When the value expires; nil if it never does.
    public var expiresAt: Timestamp?
    /// Whether the value has not expired.
    public var isFresh: Bool
}
