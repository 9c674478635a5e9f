import Domain
import DomainTestSupport

/// An engine between a server and a cache that a test holds.
struct LoadFixture<Value: Sendable & Equatable> {
    let clock = SteppedClock()
    let server: ResourceAPIStub<Value>
    let cache: CacheSpy<Value>
    let pauses = ManualPauses()
    let changes = CountedChanges()
    let loader: ResourceLoader<Value>

    static var offline: ServerError { .connectivity(reason: "unplugged") }

    /// The server has `latest`, or is out of reach; the cache has `saved` of that age, or nothing.
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

    /// What a load ends with when it fails.
    func failure(_ strategy: LoadStrategy = .serverFirst) async -> LoadError? {
        do throws(LoadError) {
            _ = try await loader.load(strategy)
            return nil
        } catch {
            return error
        }
    }
}
