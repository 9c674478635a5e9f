extension ResourceLoader {
    /// The result of a load to which the server gave no answer.
    func standIn(for failure: ServerError) throws(LoadError) -> Loaded<Value> {
        switch failure {
        case .connectivity: return try fallBack(after: failure)
        case .unavailable:
            // The server was reached: this neither deletes a cache nor yields an empty list.
            guard var cached = freshFromCache() else { throw .server(failure) }
            cached.provenance.serverError = failure
            return cached
        case .notAuthenticated, .notAllowed, .invalidData, .notConfigured, .cancelled:
            throw .server(failure)
        }
    }

    /// Returns the cached value as the policy says; `failure` is nil when the server was not asked.
    func fallBack(after failure: ServerError?) throws(LoadError) -> Loaded<Value> {
        let cached: CachedValue<Value>?
        do throws(CacheError) {
            cached = try cache.retrieve()
        } catch {
            switch policy.whenUnreadable {
            case .retrievalError: break
            case .retrievalErrorAndDelete: try? cache.delete()
            case .treatedAsEmpty: return try substitute(policy.whenEmpty, .absent, after: failure)
            }
            throw .cache(error)
        }
        guard let cached else {
            return try substitute(policy.whenEmpty, .absent, after: failure)
        }
        guard policy.isFresh(fetchedAt: cached.fetchedAt, now: clock.now) else {
            return try substitute(policy.whenExpired, .expired, after: failure)
        }
        var provenance = describe(cached, source: .cache)
        provenance.serverError = failure
        return Loaded(value: cached.value, provenance: provenance)
    }

    private enum Gap: String {
        case absent = "nothing is cached"
        case expired = "the cached version has expired"
    }

    private func substitute(
        _ substitute: CachePolicy.Substitute,
        _ gap: Gap,
        after failure: ServerError?
    ) throws(LoadError) -> Loaded<Value> {
        var provenance = Provenance(source: .none, serverError: failure)
        if gap == .expired, policy.deletesExpired {
            do throws(CacheError) { try cache.delete() } catch { provenance.cacheError = error }
        }
        guard substitute == .emptyValue, let emptyValue else {
            throw .server(failure ?? .connectivity(reason: gap.rawValue))
        }
        let cause = failure == nil ? "the server was not asked" : "no server could be reached"
        provenance.warning = "\(cause) and \(gap.rawValue); the list is empty only because of that"
        return Loaded(value: emptyValue, provenance: provenance)
    }

    /// The cached value if it is fresh. An unreadable cache counts as empty.
    func freshFromCache() -> Loaded<Value>? {
        guard let cached = try? cache.retrieve(),
            policy.isFresh(fetchedAt: cached.fetchedAt, now: clock.now)
        else { return nil }
        return Loaded(value: cached.value, provenance: describe(cached, source: .cache))
    }
}
