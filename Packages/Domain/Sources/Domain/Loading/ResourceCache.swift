/// The port to the cache of a resource.
public protocol ResourceCache<Value>: Sendable {
    /// The type of the resource.
    associatedtype Value: Sendable
    /// Returns the cached value; nil if nothing is cached.
    func retrieve() throws(CacheError) -> CachedValue<Value>?
    /// Returns the validators of the cached value, or nil.
    func validators() -> String?
    /// Replaces the cached value if `condition` is true. Returns whether it did. The old value is
    /// removed only after the new one is durable.
    ///
    /// While `condition` runs, no other process can write to the cache. `condition` must not write
    /// to the cache itself.
    func replace(
        with cached: CachedValue<Value>,
        if condition: () -> Bool
    ) throws(CacheError) -> Bool
    /// Records that the server has confirmed `cached`, which was retrieved from this cache and has a
    /// later time now, if `condition` is true. Returns whether it is true. Does nothing if the cached
    /// value has been replaced meanwhile. See ``replace(with:if:)``.
    func confirm(_ cached: CachedValue<Value>, if condition: () -> Bool) throws(CacheError) -> Bool
    /// Deletes the cached value. Does nothing if nothing is cached.
    func delete() throws(CacheError)
}

extension ResourceCache {
    /// Replaces the cached value with the confirmed one.
    public func confirm(
        _ cached: CachedValue<Value>,
        if condition: () -> Bool
    ) throws(CacheError) -> Bool {
        try replace(with: cached, if: condition)
    }

    /// Replaces the cached value unconditionally.
    public func replace(with cached: CachedValue<Value>) throws(CacheError) {
        _ = try replace(with: cached) { true }
    }
}
