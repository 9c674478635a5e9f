extension ResourceLoader {
    /// Deletes the cached value if it has expired or cannot be read; with `isRehearsal` it only
    /// reports what it would do.
    public func validateCache(isRehearsal: Bool = false) throws(CacheError) -> CacheValidation {
        let found = findInCache()
        if !isRehearsal, found.deletes { try cache.delete() }
        return found
    }

    private func findInCache() -> CacheValidation {
        do throws(CacheError) {
            guard let cached = try cache.retrieve() else { return .empty }
            return policy.isFresh(fetchedAt: cached.fetchedAt, now: clock.now)
                ? .valid : .deletedExpired
        } catch {
            return .deletedUnreadable
        }
    }
}
