import Domain
import DomainTestSupport
import Testing

/// The courses of the use cases "Cache Salons" and "Cache Appointments" of seed 000. The engine
/// runs them after each load from the server.
@Suite("Caching loaded values")
struct CacheSalonsTests {
    private let clock = ManualClock()
    private let server = ResourceAPIStub<[Salon]>(.success([Samples.salon()]))

    private func load(
        _ cache: CacheSpy<[Salon]>,
        _ strategy: LoadStrategy = .serverFirst
    ) async throws -> Loaded<[Salon]> {
        try await ResourceLoader(
            policy: .salons,
            server: server,
            cache: cache,
            clock: clock,
            emptyValue: []
        ).load(strategy)
    }

    @Test("primary course: the new cache is timestamped and replaces the old one")
    func primaryCourse() async throws {
        let old = CachedValue(value: [Samples.salon(9)], fetchedAt: Timestamp(secondsSince1970: 0))
        let cache = CacheSpy(old)
        _ = try await load(cache)
        #expect(cache.cached == CachedValue(value: [Samples.salon()], fetchedAt: clock.now))
    }

    @Test("deleting error course: old data is only ever replaced, so no deletion can fail")
    func deletingError() async throws {
        let cache = CacheSpy<[Salon]>()
        cache.fail(.deletion)
        let loaded = try await load(cache)
        #expect(loaded.provenance.cacheError == nil)
        #expect(cache.messages == [.replace])
    }

    @Test("saving error course: the error is delivered with the salons, and the old cache stays")
    func savingError() async throws {
        let old = CachedValue(value: [Samples.salon(9)], fetchedAt: clock.now)
        let cache = CacheSpy(old)
        cache.fail(.insertion)
        let loaded = try await load(cache)
        #expect(loaded.value == [Samples.salon()])
        #expect(loaded.provenance.source == .server)
        #expect(loaded.provenance.cacheError == .cache(.insertion, reason: "set by the test"))
        #expect(cache.cached == old)
    }

    @Test("a cancelled load caches nothing, even if the server responded")
    func cancelledAfterAnswer() async throws {
        let cache = CacheSpy<[Salon]>()
        server.beforeResponse { withUnsafeCurrentTask { $0?.cancel() } }
        await #expect(throws: Failure.cancelled) { try await load(cache) }
        #expect(cache.messages.isEmpty)
    }

    @Test("a cancelled load does not fall back to the cache")
    func cancelledWhileOffline() async throws {
        let cache = CacheSpy(CachedValue(value: [Samples.salon()], fetchedAt: clock.now))
        server.answer(.failure(.connectivity(reason: "unplugged")))
        server.beforeResponse { withUnsafeCurrentTask { $0?.cancel() } }
        await #expect(throws: Failure.cancelled) { try await load(cache) }
        #expect(cache.messages.isEmpty)
    }

    @Test("cacheFirst returns a fresh cached value without a request")
    func cacheFirstFresh() async throws {
        let cache = CacheSpy(CachedValue(value: [Samples.salon(9)], fetchedAt: clock.now))
        #expect(try await load(cache, .cacheFirst).value == [Samples.salon(9)])
        #expect(server.calls == 0)
    }

    @Test("cacheFirst loads from the server if the cache is expired, empty, or unreadable")
    func cacheFirstStale() async throws {
        let expired = CacheSpy(
            CachedValue(value: [Samples.salon(9)], fetchedAt: Timestamp(secondsSince1970: 0))
        )
        let unreadable = CacheSpy<[Salon]>()
        unreadable.fail(.retrieval)
        for cache in [expired, CacheSpy(), unreadable] {
            #expect(try await load(cache, .cacheFirst).provenance.source == .server)
        }
        #expect(server.calls == 3)
    }
}
