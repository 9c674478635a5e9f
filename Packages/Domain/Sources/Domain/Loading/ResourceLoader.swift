/// Loads a resource from its server and caches it. If there is no connection, falls back to the
/// cache.
///
/// Every resource is loaded this way. Resources differ only in their ``CachePolicy``.
public struct ResourceLoader<Value: Sendable>: Sendable {
    let policy: CachePolicy
    private let server: any ResourceAPI<Value>
    private let direct: any ResourceAPI<Value>
    let cache: any ResourceCache<Value>
    let clock: any WallClock
    let emptyValue: Value?
    private let softDeadline: SoftDeadline?
    private let changes: (any ChangeCounter)?
    private let follower: (any FeedFollower)?

    /// Creates a loader.
    ///
    /// - Parameters:
    ///   - policy: How long a cached value is fresh, and what a load without a connection returns.
    ///   - server: Downloads the value.
    ///   - direct: Downloads the value for ``LoadStrategy/serverOnly``, past all caches; by default
    ///     `server`.
    ///   - cache: Stores the value.
    ///   - clock: Tells the age of a cached value.
    ///   - emptyValue: The result of a load that finds no value, if the policy allows an empty
    ///     result. If this is nil, such a load throws.
    ///   - softDeadline: When a load returns a fresh cached value instead of waiting for the server;
    ///     nil for never.
    ///   - changes: Counts the changes that may make a response outdated while it is in transit. If
    ///     this is nil, every response is cached.
    ///   - follower: Brings the cached value up to date without loading it again, if the server
    ///     supports it.
    public init(
        policy: CachePolicy,
        server: any ResourceAPI<Value>,
        direct: (any ResourceAPI<Value>)? = nil,
        cache: any ResourceCache<Value>,
        clock: any WallClock,
        emptyValue: Value?,
        softDeadline: SoftDeadline? = nil,
        changes: (any ChangeCounter)? = nil,
        follower: (any FeedFollower)? = nil
    ) {
        self.policy = policy
        self.server = server
        self.direct = direct ?? server
        self.cache = cache
        self.clock = clock
        self.emptyValue = emptyValue
        self.softDeadline = softDeadline
        self.changes = changes
        self.follower = follower
    }

    /// Loads the resource with `strategy`.
    ///
    /// A cancelled load neither falls back to the cache nor writes to it. A failed cache write does
    /// not fail the load; the provenance reports it.
    public func load(_ strategy: LoadStrategy = .serverFirst) async throws(Failure)
        -> Loaded<Value>
    {
        if Task.isCancelled { throw .cancelled }
        switch strategy {
        case .serverFirst: break
        case .serverOnly:
            do { return try await download(from: direct) } catch {
                throw Task.isCancelled ? .cancelled : error
            }
        case .cacheOnly: return try fallBack(after: nil)
        case .cacheFirst, .staleWhileRevalidate:
            if let fresh = freshFromCache(), fresh.provenance.isComplete { return fresh }
        }
        guard let softDeadline, softDeadline.duration > .zero else {
            return try await loadFromServer()
        }
        return try await loadFromServer(within: softDeadline)
    }

    /// Brings the cached value up to date, or loads it from the server and caches it. Ignores errors.
    public func revalidate() async { _ = try? await update(waiting: .zero) }

    /// Whether the cached value can follow the changes at the server.
    public var followerState: FollowerState { follower?.state ?? .unsupported() }

    /// Waits until something changes at the server, at most for `wait`, and brings the cached value up
    /// to date. If the server cannot say what has changed, loads and caches the value.
    public func update(waiting wait: Duration) async throws(Failure) -> FollowedChanges {
        let changes = try await followChanges(waiting: wait)
        if changes.needsLoad { _ = try await request(from: server, after: changes) }
        return changes
    }

    /// The provenance of a cached value.
    public func provenance(fetchedAt: Timestamp, isComplete: Bool) -> Provenance {
        let now = clock.now
        let isFromFuture = CachePolicy.isFromFuture(fetchedAt: fetchedAt, now: now)
        return Provenance(
            source: .cache,
            isComplete: isComplete,
            fetchedAt: fetchedAt,
            ageSeconds: isFromFuture ? nil : max(0, now.seconds(since: fetchedAt)),
            expiresAt: policy.maximumAge.map { fetchedAt.advanced(bySeconds: $0) },
            warning: isFromFuture ? "\(CacheMiss.future.rawValue), so its age is not known" : nil
        )
    }

    /// Downloads the value. If that fails, returns the cached or the empty value if the policy
    /// allows it.
    func loadFromServer() async throws(Failure) -> Loaded<Value> {
        do {
            return try await download(from: server)
        } catch {
            if Task.isCancelled { throw .cancelled }
            return try recover(from: error)
        }
    }

    /// Brings the cached value up to date, or requests it.
    private func download(
        from server: any ResourceAPI<Value>
    ) async throws(Failure) -> Loaded<Value> {
        let (count, now) = (changes?.value, clock.now)
        let followed = try await followChanges(waiting: .zero)
        if !followed.needsLoad,
            let value = try followedValue(followed, since: now, unlessChangedSince: count)
        {
            return value
        }
        return try await request(from: server, after: followed)
    }

    /// Requests the value after its feed has not brought it up to date. If the server sends the value
    /// although the feed did not work, the feed is at fault, and is not asked for a while. Otherwise
    /// the server is, and the feed may work as soon as the server does.
    private func request(
        from server: any ResourceAPI<Value>,
        after followed: FollowedChanges
    ) async throws(Failure) -> Loaded<Value> {
        let loaded = try await request(from: server)
        if case .failed(let failure) = followed { follower?.avoidFeed(after: failure) }
        return loaded
    }

    /// Requests and caches the value, or confirms the cached one if it is still current.
    private func request(
        from server: any ResourceAPI<Value>
    ) async throws(Failure) -> Loaded<Value> {
        var cachedValidators = cache.validators()
        while true {
            let count = changes?.value
            switch try await server.load(unlessMatching: cachedValidators) {
            case .value(let value, let validators, let age, let cursor):
                let fetchedAt = clock.now.advanced(bySeconds: -age)
                let new = CachedValue(
                    value: value,
                    fetchedAt: fetchedAt,
                    validators: validators,
                    cursor: cursor
                )
                return try save(new, from: .server, unlessChangedSince: count)
            case .unchanged(let age, let cursor):
                if cachedValidators == nil {
                    let reason = "the server returned 304 to an unconditional request"
                    throw .invalidData(reason: reason)
                }
                if var cached = try? cache.retrieve(), cached.validators == cachedValidators {
                    // The value was current `age` seconds ago. The cached time stays if it is
                    // later, unless it is in the future.
                    let (now, confirmed) = (clock.now, clock.now.advanced(bySeconds: -age))
                    let isPast = cached.fetchedAt <= now
                    cached.fetchedAt = isPast ? max(cached.fetchedAt, confirmed) : confirmed
                    cached.loadedAt = confirmed
                    if let cursor { cached.cursor = cursor }
                    return try save(cached, from: .revalidated, unlessChangedSince: count)
                }
                // The cached value was replaced in the meantime or cannot be read, so request the
                // whole value.
                cachedValidators = nil
            }
        }
    }

    /// The cached value after it has followed the changes at the time `start`; nil if it must be
    /// requested.
    private func followedValue(
        _ followed: FollowedChanges,
        since start: Timestamp,
        unlessChangedSince count: UInt64?
    ) throws(Failure) -> Loaded<Value>? {
        guard var cached = try? cache.retrieve(), cached.isComplete else { return nil }
        if Task.isCancelled { throw .cancelled }
        let isPast = cached.fetchedAt <= clock.now
        cached.fetchedAt = isPast ? max(cached.fetchedAt, start) : start
        var provenance = describe(cached, source: followed == .some ? .server : .revalidated)
        if changes?.value != count { provenance.warning = Self.changeWarning }
        return Loaded(value: cached.value, provenance: provenance)
    }

    private func followChanges(
        waiting wait: Duration
    ) async throws(Failure) -> FollowedChanges {
        guard let follower else { return .unknown }
        let now = clock.now
        do {
            return try await follower.follow(waiting: wait) { time in
                policy.isFresh(fetchedAt: time, now: now)
                    && !CachePolicy.isFromFuture(fetchedAt: time, now: now)
            }
        } catch {
            throw .cancelled
        }
    }

    /// Caches `loaded`, unless a change was sent since the change counter was at `count`.
    private func save(
        _ loaded: CachedValue<Value>,
        from source: Provenance.Source,
        unlessChangedSince count: UInt64?
    ) throws(Failure) -> Loaded<Value> {
        if Task.isCancelled { throw .cancelled }
        var provenance = describe(loaded, source: source)
        if !policy.isFresh(fetchedAt: loaded.fetchedAt, now: clock.now) {
            provenance.warning = Self.oldWarning
        }
        do {
            let isCurrent = { changes?.value == count }
            let isSaved =
                source == .revalidated
                ? try cache.confirm(loaded, if: isCurrent)
                : try cache.replace(with: loaded, if: isCurrent)
            if !isSaved {
                provenance.warning = Self.changeWarning + ", and was not cached"
            }
        } catch {
            provenance.cacheError = Failure.cache(.insertion, error)
        }
        return Loaded(value: loaded.value, provenance: provenance)
    }

    private static var oldWarning: String {
        "the response is so old that it has expired: a cache sent an old copy, or the clock of the "
            + "server or of this machine is wrong"
    }

    private static var changeWarning: String {
        "a change was sent after this list was requested; it may not show the change"
    }

    func describe(_ cached: CachedValue<Value>, source: Provenance.Source) -> Provenance {
        var described = provenance(fetchedAt: cached.fetchedAt, isComplete: cached.isComplete)
        described.source = source
        if source == .cache { described.warning = described.warning ?? cached.warning }
        return described
    }
}
