/// The port to the cache of a resource, for use without a connection.
public protocol ResourceCache<Value>: Sendable {
    /// The type of the resource.
    associatedtype Value: Sendable
    /// The cached value; nil if nothing is cached.
    func retrieve() throws(CacheError) -> CachedValue<Value>?
    /// The validators of the cached value; nil if it has none.
    func validators() -> String?
    /// Replaces the cached value, which stays until the new one is safe.
    ///
    /// `condition` runs while no other process can write to the cache, and must not write to it
    /// itself. If it is false, nothing is written and the result is false.
    func replace(
        with cached: CachedValue<Value>,
        if condition: () -> Bool
    ) throws(CacheError) -> Bool
    /// Deletes the cached value. An empty cache is not an error.
    func delete() throws(CacheError)
}

extension ResourceCache {
    /// As ``replace(with:if:)``, whatever the cache has.
    public func replace(with cached: CachedValue<Value>) throws(CacheError) {
        _ = try replace(with: cached) { true }
    }
}
