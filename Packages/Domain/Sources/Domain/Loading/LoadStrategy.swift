/// Whom a load asks, in which order.
public enum LoadStrategy: String, Sendable, CaseIterable {
    /// The remote; what was kept only when there is no connection. The seeds' way.
    case remoteFirst
    /// What was kept, as if there were no connection; the remote is not asked.
    case cacheOnly
    /// What was kept while it is fresh, else as ``remoteFirst``.
    case cacheFirst
    /// What was kept while it is fresh, and then ``ResourceLoader/findNews(since:)``; else as
    /// ``remoteFirst``.
    case staleWhileRevalidate
}
