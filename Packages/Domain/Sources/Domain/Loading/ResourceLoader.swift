/// The one engine behind every resource: load, fall back, validate.
///
/// Data flows from the server through the cache to the caller. What differs between resources is
/// their ``CachePolicy``.
public struct ResourceLoader<Value: Sendable>: Sendable {
    let policy: CachePolicy
    private let server: any ResourceAPI<Value>
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
        server: any ResourceAPI<Value>,
        cache: any ResourceCache<Value>,
        clock: any WallClock,
        emptyValue: Value?,
        softDeadline: SoftDeadline? = nil,
        changes: (any ChangeCounter)? = nil
    ) {
        self.policy = policy
        self.server = server
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
    public func load(_ strategy: LoadStrategy = .serverFirst) async throws(LoadError)
        -> Loaded<Value>
    {
        if Task.isCancelled { throw .server(.cancelled) }
        switch strategy {
        case .serverFirst: break
        case .cacheOnly: return try fallBack(after: nil)
        case .cacheFirst, .staleWhileRevalidate:
            if let fresh = freshFromCache() { return fresh }
        }
        guard let softDeadline, softDeadline.duration > .zero else {
            return try await loadFromServer()
        }
        return try await loadFromServer(within: softDeadline)
    }

    /// Asks the server for what was shown from the cache, and caches its answer. Without an answer
    /// nothing changes.
    public func revalidate() async { _ = try? await download() }

    /// Downloads the value. If that fails, returns the cached or the empty value where the policy
    /// allows it.
    func loadFromServer() async throws(LoadError) -> Loaded<Value> {
        do throws(ServerError) {
            return try await download()
        } catch {
            if Task.isCancelled { throw .server(.cancelled) }
            return try standIn(for: error)
        }
    }

    /// Downloads and caches the value, unless the server says that the cached one is still current.
    private func download() async throws(ServerError) -> Loaded<Value> {
        var known = cache.validators()
        while true {
            let count = changes?.value
            switch try await server.load(unlessMatching: known) {
            case .value(let value, let validators, let age):
                let fetchedAt = clock.now.advanced(bySeconds: -age)
                let new = CachedValue(value: value, fetchedAt: fetchedAt, validators: validators)
                return try save(new, from: .server, unlessChangedSince: count)
            case .unchanged(let age):
                if known == nil {
                    let reason = "the server answered 304 to an unconditional request"
                    throw .invalidData(reason: reason)
                }
                if var cached = try? cache.retrieve(), cached.validators == known {
                    // It was current that long ago at least. Its own time may be later, but not in
                    // the future.
                    let (now, confirmed) = (clock.now, clock.now.advanced(bySeconds: -age))
                    let isPast = cached.fetchedAt <= now
                    cached.fetchedAt = isPast ? max(cached.fetchedAt, confirmed) : confirmed
                    return try save(cached, from: .revalidated, unlessChangedSince: count)
                }
                // The cache was replaced meanwhile, or cannot be read: ask for the whole value.
                known = nil
            }
        }
    }

    /// Caches the answer, unless a change was sent since the change counter was at `count`.
    private func save(
        _ answer: CachedValue<Value>,
        from source: Provenance.Source,
        unlessChangedSince count: UInt64?
    ) throws(ServerError) -> Loaded<Value> {
        if Task.isCancelled { throw .cancelled }
        var provenance = describe(answer, source: source)
        do throws(CacheError) {
            if try !cache.replace(with: answer, if: { changes?.value == count }) {
                provenance.warning =
                    "a change was sent after this list was requested; it may not show the change, "
                    + "and was not cached"
            }
        } catch {
            provenance.cacheError = error
        }
        return Loaded(value: answer.value, provenance: provenance)
    }

    func describe(_ cached: CachedValue<Value>, source: Provenance.Source) -> Provenance {
        Provenance(
            source: source,
            fetchedAt: cached.fetchedAt,
            ageSeconds: max(0, clock.now.seconds(since: cached.fetchedAt)),
            expiresAt: policy.maximumAge.map { cached.fetchedAt.advanced(bySeconds: $0) }
        )
    }
}
