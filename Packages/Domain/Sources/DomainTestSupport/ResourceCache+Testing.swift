public import Domain

extension ResourceCache {
    /// Replaces the cached value unconditionally.
    public func replace(with cached: CachedValue<Value>) throws {
        _ = try replace(with: cached) { true }
    }
}
