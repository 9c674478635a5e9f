/// Whom a load asks, in which order.
public enum LoadStrategy: String, Sendable, CaseIterable {
    /// The remote; what was kept only when there is no connection. The seeds' way.
    case remoteFirst
    /// What was kept, as if there were no connection; the remote is not asked.
    case cacheOnly
    /// What was kept while it is fresh, else as ``remoteFirst``.
    case cacheFirst
    /// The cached value while it is fresh, followed by ``ResourceLoader/revalidate()``; otherwise as
    /// ``remoteFirst``.
    case staleWhileRevalidate
}
