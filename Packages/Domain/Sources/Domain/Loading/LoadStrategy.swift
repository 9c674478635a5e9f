/// How a load combines the server and the cache.
public enum LoadStrategy: String, Sendable, CaseIterable {
    /// Load from the server. If there is no connection, fall back to the cache.
    case serverFirst
    /// Load from the cache as if there were no connection. Sends no request.
    case cacheOnly
    /// Return the cached value if it is fresh; otherwise continue as with ``serverFirst``.
    case cacheFirst
    /// Return the cached value if it is fresh, and let the caller run
    /// ``ResourceLoader/revalidate()`` afterwards; otherwise continue as with ``serverFirst``.
    case staleWhileRevalidate
}
