/// The port to where a resource is kept for times without a connection.
public protocol ResourceCache<Value>: Sendable {
    /// What is kept.
    associatedtype Value: Sendable
    /// What was kept last; nil when there is nothing.
    func retrieve() throws(CacheError) -> CachedValue<Value>?
    /// What tells the version that is kept from others; nil when nothing does.
    func validators() -> String?
    /// Puts `cached` in the place of what was kept; the old value stays until the new one is safe.
    func replace(with cached: CachedValue<Value>) throws(CacheError)
    /// Forgets what is kept; nothing kept is no error.
    func delete() throws(CacheError)
}
