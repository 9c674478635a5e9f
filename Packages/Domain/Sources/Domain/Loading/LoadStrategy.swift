/// The order in which a load uses the server and the cache.
public enum LoadStrategy: String, Sendable, CaseIterable {
    /// The server; the cache only without a connection. This is what the seeds do.
    case serverFirst
    /// The cache, as if there were no connection. The server is not asked.
    case cacheOnly
    /// The cached value while it is fresh; otherwise as ``serverFirst``.
    case cacheFirst
    /// The cached value while it is fresh, followed by ``ResourceLoader/revalidate()``; otherwise as
    /// ``serverFirst``.
    case staleWhileRevalidate
}
