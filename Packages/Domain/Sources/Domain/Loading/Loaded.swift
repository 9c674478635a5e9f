/// A loaded value and its provenance.
public struct Loaded<Value: Sendable>: Sendable {
    /// The value.
    public var value: Value
    /// The source and the age of the value.
    public var provenance: Provenance

    /// Creates a loaded value.
    public init(value: Value, provenance: Provenance) {
        self.value = value
        self.provenance = provenance
    }
}

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

/// Why a load failed.
public enum LoadError: Error, Sendable, Hashable {
    /// The server did not send a value, and no cached value may be returned.
    case server(ServerError)
    /// The cache could not be read, and the server could not be reached or was not asked.
    case cache(CacheError)
}
