/// The one engine behind every resource: load, fall back, validate.
///
/// Data flows from the server through the cache to the caller. What differs between resources is
/// their ``CachePolicy``.
public struct ResourceLoader<Value: Sendable>: Sendable {
    let policy: CachePolicy
    private let remote: any ResourceRemote<Value>
    let cache: any ResourceCache<Value>
    let clock: any WallClock
    let emptyValue: Value?
    private let softDeadline: SoftDeadline?
    private let changes: (any ChangeCounter)?

    /// Composes an engine. `emptyValue` is the result of a load that has nothing to show; nil if that
    /// is always an error. `changes` counts what may make an answer outdated while it is on its way;
    /// without it every answer is cached.
    public init(
        policy: CachePolicy,
        remote: any ResourceRemote<Value>,
        cache: any ResourceCache<Value>,
        clock: any WallClock,
        emptyValue: Value?,
        softDeadline: SoftDeadline? = nil,
        changes: (any ChangeCounter)? = nil
    ) {
        self.policy = policy
        self.remote = remote
        self.cache = cache
        self.clock = clock
        self.emptyValue = emptyValue
        self.softDeadline = softDeadline
        self.changes = changes
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
        guard let softDeadline, softDeadline.duration > .zero else {
            return try await loadFromServer()
        }
        return try await loadFromServer(within: softDeadline)
    }

    /// Asks the server for what was shown from the cache, and caches its answer. Without an answer
    /// nothing changes.
    public func revalidate() async {
        guard let answer = try? await askServer(), !Task.isCancelled else { return }
        _ = save(answer)
    }

    func loadFromServer() async throws(LoadError) -> Loaded<Value> {
        let answer: Answer
        do throws(RemoteError) {
            answer = try await askServer()
        } catch {
            if Task.isCancelled { throw .remote(.cancelled) }
            return try standIn(for: error)
        }
        if Task.isCancelled { throw .remote(.cancelled) }
        return save(answer)
    }

    private func unlessCancelled(_ loaded: Loaded<Value>) throws(LoadError) -> Loaded<Value> {
        if Task.isCancelled { throw .remote(.cancelled) }
        return loaded
    }
}

extension ResourceLoader {
    private struct Answer {
        var cached: CachedValue<Value>
        var source: Provenance.Source
        /// What the counter said when the server was asked.
        var changes: UInt64?
    }

    /// Downloads, unless the server says that the cached value is still current.
    private func askServer() async throws(RemoteError) -> Answer {
        var known = cache.validators()
        while true {
            let count = changes?.value
            switch try await remote.load(unlessMatching: known) {
            case .value(let value, let validators, let age):
                let cached = CachedValue(
                    value: value,
                    fetchedAt: clock.now.advanced(bySeconds: -age),
                    validators: validators
                )
                return Answer(cached: cached, source: .remote, changes: count)
            case .unchanged(let age):
                guard let asked = known else {
                    throw .invalidData(
                        reason: "the server answered 304 to an unconditional request"
                    )
                }
                if let cached = try? cache.retrieve(), cached.validators == asked {
                    let confirmed = confirm(cached, ageSeconds: age)
                    return Answer(cached: confirmed, source: .revalidated, changes: count)
                }
                // The cache was replaced meanwhile, or cannot be read: ask for the whole value.
                known = nil
            }
        }
    }

    /// `cached` was current that long ago at least; its own time may be later, but not in the future.
    private func confirm(_ cached: CachedValue<Value>, ageSeconds: Int64) -> CachedValue<Value> {
        let now = clock.now
        var confirmed = cached
        let age = now.seconds(since: cached.fetchedAt)
        confirmed.fetchedAt = now.advanced(
            bySeconds: -(age >= 0 ? min(age, ageSeconds) : ageSeconds)
        )
        return confirmed
    }

    /// Caches the answer, unless a change was sent since the server was asked.
    private func save(_ answer: Answer) -> Loaded<Value> {
        var provenance = describe(answer.cached, source: answer.source)
        do throws(CacheError) {
            let isSaved = try cache.replace(with: answer.cached) {
                changes?.value == answer.changes
            }
            if !isSaved {
                provenance.warning =
                    "a change was sent after this list was requested; it may not show the change, "
                    + "and was not cached"
            }
        } catch {
            provenance.cacheError = error
        }
        return Loaded(value: answer.cached.value, provenance: provenance)
    }

    func describe(
        _ cached: CachedValue<Value>,
        source: Provenance.Source
    ) -> Provenance {
        Provenance(
            source: source,
            fetchedAt: cached.fetchedAt,
            ageSeconds: max(0, clock.now.seconds(since: cached.fetchedAt)),
            expiresAt: policy.maximumAge.map { cached.fetchedAt.advanced(bySeconds: $0) }
        )
    }
}
