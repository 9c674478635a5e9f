/// How a load combines the server and the cache.
public enum LoadStrategy: String, Sendable, CaseIterable {
    /// Load from the server. If there is no connection, fall back to the cache.
    case serverFirst
    /// Load from the server, or confirm the cached value with it. No cache may answer, neither here nor
    /// on the way. Fails if the server does not respond.
    case serverOnly
    /// Load from the cache as if there were no connection. Sends no request.
    case cacheOnly
    /// Return the cached value if it is fresh and complete; otherwise continue as with ``serverFirst``.
    case cacheFirst
    /// Return the cached value if it is fresh and complete, and let the caller run
    /// ``ResourceLoader/revalidate()`` afterwards; otherwise continue as with ``serverFirst``.
    case staleWhileRevalidate
}
