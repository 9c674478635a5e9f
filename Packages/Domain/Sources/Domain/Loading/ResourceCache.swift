/// The port to where a resource is kept for times without a connection.
public protocol ResourceCache<Value>: Sendable {
    /// What is kept.
    associatedtype Value: Sendable
    /// What was kept last; nil when there is nothing.
    func retrieve() throws(CacheError) -> CachedValue<Value>?
    /// What tells the version that is kept from others; nil when nothing does.
    func validators() -> String?
    /// Replaces the cached value, which stays until the new one is safe.
    ///
    /// `condition` runs while no other process can write to the cache, and must not write to it
    /// itself. If it is false, nothing is written and the result is false.
    func replace(
        with cached: CachedValue<Value>,
        if condition: () -> Bool
    ) throws(CacheError) -> Bool
    /// Forgets what is kept; nothing kept is no error.
    func delete() throws(CacheError)
}

extension ResourceCache {
    /// As ``replace(with:if:)``, whatever the cache has.
    public func replace(with cached: CachedValue<Value>) throws(CacheError) {
        _ = try replace(with: cached) { true }
    }
}
