import Domain
import DomainTestSupport
import Testing

@Suite("Returning the cached value and revalidating it afterwards")
struct StaleWhileRevalidateTests {
    private let clock = ManualClock()
    private let server = ResourceAPIStub<[Salon]>(.success([Samples.salon(1)]))

    private func loader(_ cache: CacheSpy<[Salon]>) -> ResourceLoader<[Salon]> {
        ResourceLoader(policy: .salons, server: server, cache: cache, clock: clock, emptyValue: [])
    }

    private func cached(_ number: UInt8, ageSeconds: Int64 = 60) -> CacheSpy<[Salon]> {
        let fetchedAt = clock.now.advanced(bySeconds: -ageSeconds)
        return CacheSpy(CachedValue(value: [Samples.salon(number)], fetchedAt: fetchedAt))
    }

    @Test("a fresh cached value is returned without a request")
    func shown() async throws {
        let loaded = try await loader(cached(9)).load(.staleWhileRevalidate)
        #expect(loaded.value == [Samples.salon(9)] && loaded.provenance.source == .cache)
        #expect(server.calls == 0)
    }

    @Test(
        "without a fresh cached value the load requests it from the server",
        arguments: [true, false]
    )
    func nothingFresh(isExpired: Bool) async throws {
        let cache = isExpired ? cached(9, ageSeconds: 8 * 86_400) : CacheSpy()
        let loaded = try await loader(cache).load(.staleWhileRevalidate)
        #expect(loaded.value == [Samples.salon(1)] && loaded.provenance.source == .server)
    }

    @Test("a new value is cached")
    func changed() async throws {
        let cache = cached(9)
        _ = try? await loader(cache).update()
        #expect(cache.cached?.value == [Samples.salon(1)])
    }

    @Test("an unchanged value is cached with the time of the response")
    func unchanged() async throws {
        let cache = cached(1)
        _ = try? await loader(cache).update()
        #expect(cache.cached?.fetchedAt == clock.now)
    }

    @Test("a server that cannot be reached changes nothing")
    func offline() async throws {
        server.answer(.failure(.connectivity(reason: "unplugged")))
        let cache = cached(9)
        _ = try? await loader(cache).update()
        #expect(cache.cached?.value == [Samples.salon(9)])
    }

    @Test("a cancelled revalidation caches nothing")
    func cancelled() async throws {
        let cache = cached(9)
        server.beforeResponse { withUnsafeCurrentTask { $0?.cancel() } }
        let loader = loader(cache)
        await Task { _ = try? await loader.update() }.value
        #expect(cache.cached?.value == [Samples.salon(9)])
    }
}
