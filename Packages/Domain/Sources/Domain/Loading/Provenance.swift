/// Where a delivered value came from, and what went wrong on the way.
public struct Provenance: Sendable, Hashable {
    /// Who delivered the value.
    public enum Source: String, Sendable { case remote, revalidated, cache, none }

    /// Who delivered the value; `none` when nothing was there to show.
    public var source: Source
    /// When the remote delivered it; nil for `none`.
    public var fetchedAt: Timestamp?
    /// Whole seconds since then, never negative.
    public var ageSeconds: Int64?
    /// When it stops being fresh; nil when it never does.
    public var expiresAt: Timestamp?
    /// Why the remote did not deliver, when the cache stood in.
    public var remoteError: RemoteError?
    /// What the cache failed at, when the load succeeded all the same.
    public var cacheError: CacheError?
    /// What a person should know before relying on the value, as a sentence.
    public var warning: String?

    /// Makes a provenance.
    public init(
        source: Source,
        fetchedAt: Timestamp? = nil,
        ageSeconds: Int64? = nil,
        expiresAt: Timestamp? = nil,
        remoteError: RemoteError? = nil,
        cacheError: CacheError? = nil,
        warning: String? = nil
    ) {
        self.source = source
        self.fetchedAt = fetchedAt
        self.ageSeconds = ageSeconds
        self.expiresAt = expiresAt
        self.remoteError = remoteError
        self.cacheError = cacheError
        self.warning = warning
    }
}
