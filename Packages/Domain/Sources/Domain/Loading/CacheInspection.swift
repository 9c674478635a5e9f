/// What is kept of a resource, looked at and left alone.
public struct CacheInspection<Value: Sendable>: Sendable {
    /// The value.
    public var value: Value
    /// When the remote delivered it, or said that it is still the newest.
    public var fetchedAt: Timestamp
    /// Its age in seconds; 0 for what comes from the future.
    public var ageSeconds: Int64
    /// When it is no longer shown; nil for never.
    public var expiresAt: Timestamp?
    /// Whether it may be shown now.
    public var isFresh: Bool
}

extension ResourceLoader {
    /// What is kept, fresh or not; nil when nothing is. Throws when it cannot be read.
    public func inspectCache() throws(CacheError) -> CacheInspection<Value>? {
        guard let cached = try cache.retrieve() else { return nil }
        let now = clock.now
        return CacheInspection(
            value: cached.value,
            fetchedAt: cached.fetchedAt,
            ageSeconds: max(0, now.seconds(since: cached.fetchedAt)),
            expiresAt: policy.maximumAge.map { cached.fetchedAt.advanced(bySeconds: $0) },
            isFresh: policy.isFresh(fetchedAt: cached.fetchedAt, now: now)
        )
    }
}
