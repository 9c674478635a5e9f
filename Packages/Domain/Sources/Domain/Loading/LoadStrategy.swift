/// How a load combines the server and the cache.
public enum LoadStrategy: String, Sendable, CaseIterable {
    /// Load from the server, and fall back to the cache without a connection. The seeds define
    /// this.
    case serverFirst
    /// Load from the cache as if there were no connection. Sends no request.
    case cacheOnly
    /// Return the cached value if it is fresh; otherwise continue as with ``serverFirst``.
    case cacheFirst
    /// Return the cached value if it is fresh, and let the caller run
    /// ``ResourceLoader/revalidate()`` afterwards; otherwise continue as with ``serverFirst``.
    case staleWhileRevalidate
}
