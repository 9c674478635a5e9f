extension ResourceLoader {
    /// Returns the cached value, even if it has expired; nil if nothing is cached or it cannot be
    /// read. Sends no request and deletes nothing.
    public func cachedValue() -> Value? { try? cache.retrieve()?.value }

    /// Returns the cached value, fresh or expired, with its age and expiry; nil if nothing is
    /// cached. Throws if the cache cannot be read.
    public func inspectCache() throws(Failure) -> CacheInspection<Value>? {
        let cached: CachedValue<Value>?
        do { cached = try cache.retrieve() } catch { throw .cache(.retrieval, error) }
        guard let cached else { return nil }
        let now = clock.now
        return CacheInspection(
            value: cached.value,
            isComplete: cached.isComplete,
            fetchedAt: cached.fetchedAt,
            ageSeconds: max(0, now.seconds(since: cached.fetchedAt)),
            expiresAt: policy.maximumAge.map { cached.fetchedAt.advanced(bySeconds: $0) },
            isFresh: policy.isFresh(fetchedAt: cached.fetchedAt, now: now),
            isFromFuture: CachePolicy.isFromFuture(fetchedAt: cached.fetchedAt, now: now)
        )
    }

    /// Deletes the cached value if it has expired or cannot be read. One from the future is not
    /// deleted. If `isDryRun` is true, only reports what would be deleted. Throws if the deletion fails.
    public func validateCache(isDryRun: Bool = false) throws(Failure) -> CacheValidation {
        let deleted: CacheValidation
        let wouldDelete: CacheValidation
        do {
            guard let cached = try cache.retrieve() else { return .empty }
            switch policy.age(fetchedAt: cached.fetchedAt, now: clock.now) {
            case .fresh: return .valid
            case .unknown: return .fromFuture
            case .expired: (deleted, wouldDelete) = (.deletedExpired, .wouldDeleteExpired)
            }
        } catch {
            (deleted, wouldDelete) = (.deletedUnreadable, .wouldDeleteUnreadable)
        }
        if isDryRun { return wouldDelete }
        do { try cache.delete() } catch { throw .cache(.deletion, error) }
        return deleted
    }
}

/// A cached value and its age.
public struct CacheInspection<Value: Sendable>: Sendable {
    /// The value.
    public var value: Value
    /// Whether this is the whole value.
    public var isComplete: Bool
    /// When the server sent the value or last confirmed that it is current.
    public var fetchedAt: Timestamp
    /// The age in seconds; 0 if `fetchedAt` is in the future.
    public var ageSeconds: Int64
    /// When the value expires; nil if it never does.
    public var expiresAt: Timestamp?
    /// Whether the value has not expired.
    public var isFresh: Bool
    /// Whether `fetchedAt` is in the future, so that the age is not known.
    public var isFromFuture: Bool
}

/// The result of validating a cache.
public enum CacheValidation: String, Sendable, CaseIterable {
    /// Nothing is cached.
    case empty
    /// The cached value is fresh and was not deleted.
    case valid
    /// The cached value seems to come from the future, because this machine's clock is behind or was
    /// ahead. It was not deleted.
    case fromFuture
    /// The cached value had expired and was deleted.
    case deletedExpired
    /// The cached value could not be read and was deleted.
    case deletedUnreadable
    /// The cached value has expired. It was not deleted, because this was a dry run.
    case wouldDeleteExpired
    /// The cached value cannot be read. It was not deleted, because this was a dry run.
    case wouldDeleteUnreadable
}
