/// The one engine behind every resource: load, fall back, validate.
///
/// Data flows remote -> cache -> caller. What differs between resources is their ``CachePolicy``.
public struct ResourceLoader<Value: Sendable>: Sendable {
    let policy: CachePolicy
    private let remote: any ResourceRemote<Value>
    let cache: any ResourceCache<Value>
    let clock: any WallClock
    private let nothing: Value?

    /// Composes an engine; `nothing` is what a load delivers when there is nothing to show, nil
    /// where that is always an error.
    public init(
        policy: CachePolicy,
        remote: any ResourceRemote<Value>,
        cache: any ResourceCache<Value>,
        clock: any WallClock,
        nothing: Value?
    ) {
        self.policy = policy
        self.remote = remote
        self.cache = cache
        self.clock = clock
        self.nothing = nothing
    }

    /// Loads by `strategy`.
    ///
    /// A cancelled load neither falls back nor saves. A save that fails does not fail the load: it
    /// is reported in the provenance.
    public func load(_ strategy: LoadStrategy = .remoteFirst) async throws(LoadError)
        -> Loaded<Value>
    {
        switch strategy {
        case .remoteFirst: break
        case .cacheOnly: return try unlessCancelled(try fallBack(after: nil))
        case .cacheFirst, .staleWhileRevalidate:
            if let fresh = freshFromCache() { return try unlessCancelled(fresh) }
        }
        let newest: (value: CachedValue<Value>, source: Provenance.Source)
        do throws(RemoteError) {
            newest = try await askRemote()
        } catch {
            guard case .connectivity = error, !Task.isCancelled else {
                throw .remote(Task.isCancelled ? .cancelled : error)
            }
            return try fallBack(after: error)
        }
        if Task.isCancelled { throw .remote(.cancelled) }
        return deliver(newest.value, from: newest.source)
    }

    /// Whoever cancelled wants nothing any more, also what was at hand.
    private func unlessCancelled(_ loaded: Loaded<Value>) throws(LoadError) -> Loaded<Value> {
        if Task.isCancelled { throw .remote(.cancelled) }
        return loaded
    }

    /// Deletes what is kept if it has expired or cannot be read; only tells what it would do when
    /// `isRehearsal`.
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

    /// Downloads, unless the remote says that what is kept is still the newest.
    private func askRemote() async throws(RemoteError)
        -> (value: CachedValue<Value>, source: Provenance.Source)
    {
        var known = cache.validators()
        while true {
            switch try await remote.load(unlessMatching: known) {
            case .value(let value, let validators):
                let fetched = CachedValue(
                    value: value,
                    fetchedAt: clock.now,
                    validators: validators
                )
                return (fetched, .remote)
            case .unchanged:
                guard let asked = known else {
                    throw .invalidData(reason: "the remote knows no change from nothing")
                }
                if var kept = try? cache.retrieve(), kept.validators == asked {
                    kept.fetchedAt = clock.now
                    return (kept, .revalidated)
                }
                // What was kept is another by now, or cannot be read: only the whole will do.
                known = nil
            }
        }
    }

    private func deliver(
        _ cached: CachedValue<Value>,
        from source: Provenance.Source
    ) -> Loaded<Value> {
        var provenance = describe(cached, source: source)
        do throws(CacheError) {
            try cache.replace(with: cached)
        } catch {
            provenance.cacheError = error
        }
        return Loaded(value: cached.value, provenance: provenance)
    }

    private func freshFromCache() -> Loaded<Value>? {
        // An unreadable cache is no reason not to ask the remote.
        guard let cached = try? cache.retrieve(),
            policy.isFresh(fetchedAt: cached.fetchedAt, now: clock.now)
        else { return nil }
        return Loaded(value: cached.value, provenance: describe(cached, source: .cache))
    }
}

extension ResourceLoader {
    /// Delivers what was kept, by the policy; `failure` is nil when the remote was not asked.
    private func fallBack(after failure: RemoteError?) throws(LoadError) -> Loaded<Value> {
        let cached: CachedValue<Value>?
        do throws(CacheError) {
            cached = try cache.retrieve()
        } catch {
            switch policy.whenUnreadable {
            case .retrievalError: break
            case .retrievalErrorAndDelete: try? cache.delete()
            case .treatedAsEmpty: return try substitute(policy.whenEmpty, after: failure)
            }
            throw .cache(error)
        }
        guard let cached else {
            return try substitute(policy.whenEmpty, after: failure)
        }
        guard policy.isFresh(fetchedAt: cached.fetchedAt, now: clock.now) else {
            return try substitute(
                policy.whenExpired,
                after: failure,
                deleting: policy.deletesExpired
            )
        }
        var provenance = describe(cached, source: .cache)
        provenance.remoteError = failure
        return Loaded(value: cached.value, provenance: provenance)
    }

    private func substitute(
        _ substitute: CachePolicy.Substitute,
        after failure: RemoteError?,
        deleting: Bool = false
    ) throws(LoadError) -> Loaded<Value> {
        var provenance = Provenance(source: .none, remoteError: failure)
        if deleting {
            do throws(CacheError) { try cache.delete() } catch { provenance.cacheError = error }
        }
        guard substitute == .nothing, let nothing else {
            throw .remote(failure ?? .connectivity(reason: "nothing fresh is kept for offline use"))
        }
        return Loaded(value: nothing, provenance: provenance)
    }

    private func describe(_ cached: CachedValue<Value>, source: Provenance.Source) -> Provenance {
        Provenance(
            source: source,
            fetchedAt: cached.fetchedAt,
            ageSeconds: max(0, clock.now.seconds(since: cached.fetchedAt)),
            expiresAt: policy.maximumAge.map { cached.fetchedAt.advanced(bySeconds: $0) }
        )
    }
}

extension ResourceLoader where Value: Equatable {
    /// Asks the remote for what was shown from the cache, keeps what it says, and tells whether it
    /// differs. Without an answer nothing changes, and there is no news.
    public func findNews(since shown: Value) async -> Bool {
        guard let newest = try? await askRemote(), !Task.isCancelled else { return false }
        return deliver(newest.value, from: newest.source).value != shown
    }
}
