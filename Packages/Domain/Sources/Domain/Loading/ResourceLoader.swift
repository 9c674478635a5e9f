/// Loads a resource from its server and caches it. If there is no connection, falls back to the
/// cache.
///
/// Every resource is loaded this way. Resources differ only in their ``CachePolicy``.
public struct ResourceLoader<Value: Sendable>: Sendable {
    private let policy: CachePolicy
    private let server: any ResourceAPI<Value>
    private let direct: any ResourceAPI<Value>
    private let cache: any ResourceCache<Value>
    private let clock: any WallClock
    private let emptyValue: Value?
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
            do { return try await update(from: direct) } catch {
                throw Task.isCancelled ? .cancelled : error
            }
        case .cacheOnly: return try fallBack(after: nil)
        case .cacheFirst, .staleWhileRevalidate:
            if let fresh = freshFromCache(), fresh.provenance.isComplete { return fresh }
        }
        guard let softDeadline, softDeadline.duration > .zero else {
            return try await updateOrFallBack()
        }
        return try await updateOrFallBack(within: softDeadline)
    }

    /// Whether the cached value can follow the changes at the server.
    public var followerState: FollowerState { follower?.state ?? .unsupported() }

    /// Waits until something changes at the server, at most for `wait`, and brings the cached value up
    /// to date. If the server cannot say what has changed, loads and caches the value.
    @discardableResult
    public func update(
        waiting wait: Duration = .zero
    ) async throws(Failure) -> FollowedChanges {
        let changes = try await follow(waiting: wait)
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

    /// Returns the cached value, brought up to date, or requests it.
    private func update(
        from server: any ResourceAPI<Value>
    ) async throws(Failure) -> Loaded<Value> {
        let (count, now) = (changes?.value, clock.now)
        let followed = try await follow(waiting: .zero)
        guard !followed.needsLoad, var cached = try? cache.retrieve(), cached.isComplete else {
            return try await request(from: server, after: followed)
        }
        if Task.isCancelled { throw .cancelled }
        let isPast = cached.fetchedAt <= clock.now
        cached.fetchedAt = isPast ? max(cached.fetchedAt, now) : now
        var provenance = describe(cached, source: followed == .some ? .server : .revalidated)
        if changes?.value != count { provenance.warning = Self.changeWarning }
        return Loaded(value: cached.value, provenance: provenance)
    }

    /// Requests and caches the value, or confirms the cached one if it is still current.
    private func request(
        from server: any ResourceAPI<Value>,
        after followed: FollowedChanges
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
                return try save(new, from: .server, unlessChangedSince: count, after: followed)
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
                    return try save(
                        cached,
                        from: .revalidated,
                        unlessChangedSince: count,
                        after: followed
                    )
                }
                // The cached value was replaced in the meantime or cannot be read, so request the
                // whole value.
                cachedValidators = nil
            }
        }
    }

    private func follow(waiting wait: Duration) async throws(Failure) -> FollowedChanges {
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
    ///
    /// If the server sent the value although its feed did not work, the feed is at fault, and is not
    /// asked for a while. Otherwise the server is, and the feed may work as soon as the server does.
    private func save(
        _ loaded: CachedValue<Value>,
        from source: Provenance.Source,
        unlessChangedSince count: UInt64?,
        after followed: FollowedChanges
    ) throws(Failure) -> Loaded<Value> {
        if Task.isCancelled { throw .cancelled }
        if case .failed(let failure) = followed { follower?.avoidFeed(after: failure) }
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

    private func describe(_ cached: CachedValue<Value>, source: Provenance.Source) -> Provenance {
        var described = provenance(fetchedAt: cached.fetchedAt, isComplete: cached.isComplete)
        described.source = source
        if source == .cache { described.warning = described.warning ?? cached.warning }
        return described
    }
}

// What a load returns if the server does not answer, or not in time.
extension ResourceLoader {
    /// Brings the value up to date. If that fails, returns the cached or the empty value if the
    /// policy allows it.
    private func updateOrFallBack() async throws(Failure) -> Loaded<Value> {
        do {
            return try await update(from: server)
        } catch {
            return try fallBack(after: Task.isCancelled ? .cancelled : error)
        }
    }

    /// Loads from the server. If the load takes longer than `deadline` and a fresh value is cached,
    /// returns that value; the request continues, and its response is cached.
    ///
    /// Cancelling the calling task cancels the request, unless the cached value has been returned.
    private func updateOrFallBack(
        within deadline: SoftDeadline
    ) async throws(Failure) -> Loaded<Value> {
        // Contains the first outcome.
        let (outcomes, outcome) = AsyncStream.makeStream(
            of: Result<Loaded<Value>, Failure>.self,
            bufferingPolicy: .bufferingOldest(1)
        )
        let request = Task {
            do throws(Failure) {
                outcome.yield(.success(try await updateOrFallBack()))
            } catch {
                outcome.yield(.failure(error))
            }
        }
        let timer = Task {
            guard (try? await deadline.pauses.pause(for: deadline.duration)) != nil,
                var cached = freshFromCache()
            else { return }
            cached.provenance.warning =
                "the server did not respond within \(deadline.text); this is the cached version, "
                + "and the request continues"
            outcome.yield(.success(cached))
        }
        let first = await withTaskCancellationHandler {
            await outcomes.first { _ in true }
        } onCancel: {
            request.cancel()
        }
        timer.cancel()
        guard let first, !Task.isCancelled else { throw .cancelled }
        return try first.get()
    }

    /// The result of a load that did not get the value from the server, because of `failure` or, if it
    /// is nil, because no request was to be sent.
    ///
    /// The policy says what to return without a connection. If something was reached, it does not apply:
    /// nothing is deleted, and the result is never an empty list.
    private func fallBack(after failure: Failure?) throws(Failure) -> Loaded<Value> {
        guard let failure else { return try fromCache(after: nil) }
        switch failure {
        case .connectivity: return try fromCache(after: failure)
        case .unavailable:
            guard var cached = freshFromCache() else { throw failure }
            cached.provenance.serverError = failure
            return cached
        default: throw failure
        }
    }

    private func fromCache(after failure: Failure?) throws(Failure) -> Loaded<Value> {
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
    fileprivate enum CacheMiss: String {
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
    private func freshFromCache() -> Loaded<Value>? {
        guard let cached = try? cache.retrieve(),
            policy.isFresh(fetchedAt: cached.fetchedAt, now: clock.now)
        else { return nil }
        return Loaded(value: cached.value, provenance: describe(cached, source: .cache))
    }
}

/// The time after which a load returns a fresh cached value if the server has not responded.
public struct SoftDeadline: Sendable {
    /// The maximum wait. Zero or a negative duration means no deadline.
    public var duration: Duration
    let pauses: any Pausing

    /// Creates a deadline that waits with `pauses`.
    public init(_ duration: Duration, pauses: any Pausing) {
        self.duration = duration
        self.pauses = pauses
    }

    /// The duration as text, in seconds if it is a whole number of them, otherwise in milliseconds.
    var text: String {
        let milliseconds = Int64(duration / .milliseconds(1))
        return milliseconds.isMultiple(of: 1_000)
            ? "\(milliseconds / 1_000) s" : "\(milliseconds) ms"
    }
}

// The cache.
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
