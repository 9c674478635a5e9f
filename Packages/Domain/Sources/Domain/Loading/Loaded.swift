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
    /// Load from the server. If it cannot be reached, or cannot serve the request, fall back to the
    /// cache.
    case serverFirst
    /// Load from the server, or confirm the cached value with it. No cache may answer, neither here nor
    /// on the way. Fails if the server does not respond.
    case serverOnly
    /// Load from the cache as if there were no connection. Sends no request.
    case cacheOnly
    /// Return the cached value if it is fresh and complete; otherwise continue as with ``serverFirst``.
    case cacheFirst
    /// Return the cached value if it is fresh and complete, and let the caller run
    /// ``ResourceLoader/update(waiting:)`` afterwards; otherwise continue as with ``serverFirst``.
    case staleWhileRevalidate
}

/// The source and the age of a loaded value, and the errors that the load recovered from.
public struct Provenance: Sendable, Hashable {
    /// The source of a value.
    public enum Source: String, Sendable {
        /// The server sent the value.
        case server
        /// The value was cached, and the server has just confirmed it.
        case revalidated
        /// The value was cached.
        case cache
        /// An empty value replaces a missing one.
        case none

        /// Whether the server has just sent the value, or confirmed that it is unchanged.
        public var isCurrent: Bool { self == .server || self == .revalidated }
    }

    /// The source of the value.
    public var source: Source
    /// Whether this is the whole value. A cached list may lack elements that were never loaded.
    public var isComplete: Bool
    /// When the server sent the value or last confirmed it; nil for `none`.
    public var fetchedAt: Timestamp?
    /// Whole seconds since `fetchedAt`, never negative; nil for `none`, and if `fetchedAt` is in the
    /// future, because then the age is not known.
    public var ageSeconds: Int64?
    /// When the value expires; nil if it never does.
    public var expiresAt: Timestamp?
    /// Why the server did not send the value; nil if it did or was not asked.
    public var serverError: Failure?
    /// Why a cache operation failed during the load; nil if none did.
    public var cacheError: Failure?
    /// A sentence that a person should read before relying on the value, or nil.
    public var warning: String?

    /// Creates a provenance.
    public init(
        source: Source,
        isComplete: Bool = true,
        fetchedAt: Timestamp? = nil,
        ageSeconds: Int64? = nil,
        expiresAt: Timestamp? = nil,
        serverError: Failure? = nil,
        cacheError: Failure? = nil,
        warning: String? = nil
    ) {
        self.source = source
        self.isComplete = isComplete
        self.fetchedAt = fetchedAt
        self.ageSeconds = ageSeconds
        self.expiresAt = expiresAt
        self.serverError = serverError
        self.cacheError = cacheError
        self.warning = warning
    }
}
