extension ResourceLoader {
    /// The result of a load whose download failed with `failure`.
    func recover(from failure: Failure) throws(Failure) -> Loaded<Value> {
        switch failure {
        case .connectivity: return try fallBack(after: failure)
        case .unavailable:
            // The server was reached, so the policy for a missing connection does not apply:
            // nothing is deleted, and the result is never an empty list.
            guard var cached = freshFromCache() else { throw failure }
            cached.provenance.serverError = failure
            return cached
        default: throw failure
        }
    }

    /// The result of a load from the cache, according to the policy. `failure` is nil if no request
    /// was sent.
    func fallBack(after failure: Failure?) throws(Failure) -> Loaded<Value> {
        let cached: CachedValue<Value>?
        do {
            cached = try cache.retrieve()
        } catch {
            switch policy.whenUnreadable {
            case .retrievalError: break
            case .retrievalErrorAndDelete: try? cache.delete()
            case .treatedAsEmpty: return try substitute(policy.whenEmpty, .empty, after: failure)
            }
            throw .cache(.retrieval, error)
        }
        guard let cached else {
            return try substitute(policy.whenEmpty, .empty, after: failure)
        }
        switch policy.age(fetchedAt: cached.fetchedAt, now: clock.now) {
        case .fresh: break
        case .expired: return try substitute(policy.whenExpired, .expired, after: failure)
        case .unknown: return try substitute(policy.whenExpired, .future, after: failure)
        }
        var provenance = describe(cached, source: .cache)
        provenance.serverError = failure
        return Loaded(value: cached.value, provenance: provenance)
    }

    /// Why a cached value cannot be used.
    enum CacheMiss: String {
        case empty = "nothing is cached"
        case expired = "the cached version has expired"
        case future = """
            the cached version seems to come from the future (this machine's clock is behind, or was \
            ahead when it was cached)
            """
    }

    private func substitute(
        _ substitute: CachePolicy.Substitute,
        _ miss: CacheMiss,
        after failure: Failure?
    ) throws(Failure) -> Loaded<Value> {
        var provenance = Provenance(source: .none, serverError: failure)
        if miss == .expired, policy.deletesExpired {
            do {
                try cache.delete()
            } catch {
                provenance.cacheError = Failure.cache(.deletion, error)
            }
        }
        guard substitute == .emptyValue, let emptyValue else {
            guard miss == .future, case .connectivity(let reason, let seconds)? = failure else {
                throw failure ?? .connectivity(reason: miss.rawValue)
            }
            throw .connectivity(
                reason: "\(reason); \(miss.rawValue)",
                retryAfterSeconds: seconds
            )
        }
        let cause = failure == nil ? "no request was sent" : "the server could not be reached"
        provenance.warning = "\(cause) and \(miss.rawValue); the list is empty only because of that"
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
