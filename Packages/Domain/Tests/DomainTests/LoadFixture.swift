import Domain
import DomainTestSupport

/// A loader with test doubles for the server and the cache.
struct LoadFixture<Value: Sendable & Equatable> {
    let clock = ManualClock()
    let server: ResourceAPIStub<Value>
    let cache: CacheSpy<Value>
    let pauses = ManualPauses()
    let changes = InMemoryChangeCounter()
    let loader: ResourceLoader<Value>

    static var offline: Failure { .connectivity(reason: "unplugged") }

    /// Makes a loader whose server has `latest`, or cannot be reached if that is nil. The cache
    /// contains `saved` with the age `ageSeconds`, or nothing if `saved` is nil.
    init(
        _ policy: CachePolicy,
        latest: Value?,
        saved: Value? = nil,
        ageSeconds: Int64 = 0,
        emptyValue: Value?,
        softDeadline: Duration = .zero
    ) {
        let fetchedAt = clock.now.advanced(bySeconds: -ageSeconds)
        server = ResourceAPIStub(latest.map { .success($0) } ?? .failure(Self.offline))
        cache = CacheSpy(saved.map { CachedValue(value: $0, fetchedAt: fetchedAt) })
        loader = ResourceLoader(
            policy: policy,
            server: server,
            cache: cache,
            clock: clock,
            emptyValue: emptyValue,
            softDeadline: SoftDeadline(softDeadline, pauses: pauses),
            changes: changes
        )
    }

    /// The error of a load; nil if it succeeds.
    func failure(_ strategy: LoadStrategy = .serverFirst) async -> Failure? {
        do {
            _ = try await loader.load(strategy)
            return nil
        } catch {
            return error
        }
    }
}
