/// Where a loaded value came from, and what failed on the way.
public struct Provenance: Sendable, Hashable {
    /// A source of values.
    public enum Source: String, Sendable { case server, revalidated, cache, none }

    /// The source of the value; `none` if there was nothing to show.
    public var source: Source
    /// When the server sent it; nil for `none`.
    public var fetchedAt: Timestamp?
    /// Whole seconds since then, never negative.
    public var ageSeconds: Int64?
    /// When it expires; nil for never.
    public var expiresAt: Timestamp?
    /// Why the server did not deliver the value, if the cache did.
    public var serverError: ServerError?
    /// Why the cache failed, although the load succeeded.
    public var cacheError: CacheError?
    /// What a person should know before relying on the value, as a sentence.
    public var warning: String?

    /// Makes a provenance.
    public init(
        source: Source,
        fetchedAt: Timestamp? = nil,
        ageSeconds: Int64? = nil,
        expiresAt: Timestamp? = nil,
        serverError: ServerError? = nil,
        cacheError: CacheError? = nil,
        warning: String? = nil
    ) {
        self.source = source
        self.fetchedAt = fetchedAt
        self.ageSeconds = ageSeconds
        self.expiresAt = expiresAt
        self.serverError = serverError
        self.cacheError = cacheError
        self.warning = warning
    }
}
