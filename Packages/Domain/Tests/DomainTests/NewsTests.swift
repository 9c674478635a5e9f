import Domain
import DomainTestSupport
import Testing

@Suite("Showing what is kept, and looking for news afterwards")
struct NewsTests {
    private let clock = SteppedClock()
    private let remote = RemoteStub<[Salon]>(.success([Samples.salon(1)]))

    private func loader(_ cache: CacheSpy<[Salon]>) -> ResourceLoader<[Salon]> {
        ResourceLoader(policy: .salons, remote: remote, cache: cache, clock: clock, nothing: [])
    }

    private func cached(_ number: UInt8, ageSeconds: Int64 = 60) -> CacheSpy<[Salon]> {
        let fetchedAt = clock.now.advanced(bySeconds: -ageSeconds)
        return CacheSpy(CachedValue(value: [Samples.salon(number)], fetchedAt: fetchedAt))
    }

    @Test("what is kept is shown without asking the remote")
    func shown() async throws {
        let loaded = try await loader(cached(9)).load(.staleWhileRevalidate)
        #expect(loaded.value == [Samples.salon(9)] && loaded.provenance.source == .cache)
        #expect(remote.calls == 0)
    }

    @Test("with nothing fresh to show the remote is asked first", arguments: [true, false])
    func nothingFresh(isExpired: Bool) async throws {
        let cache = isExpired ? cached(9, ageSeconds: 8 * 86_400) : CacheSpy()
        let loaded = try await loader(cache).load(.staleWhileRevalidate)
        #expect(loaded.value == [Samples.salon(1)] && loaded.provenance.source == .remote)
    }

    @Test("what the remote has anew is kept, and is news")
    func news() async throws {
        let cache = cached(9)
        #expect(await loader(cache).findNews(since: [Samples.salon(9)]))
        #expect(cache.kept?.value == [Samples.salon(1)])
    }

    @Test("what the remote still has is kept as young as it is, and is no news")
    func noNews() async throws {
        let cache = cached(1)
        #expect(await !loader(cache).findNews(since: [Samples.salon(1)]))
        #expect(cache.kept?.fetchedAt == clock.now)
    }

    @Test("a remote that cannot be reached has no news, and changes nothing")
    func offline() async throws {
        remote.answer(.failure(.connectivity(reason: "unplugged")))
        let cache = cached(9)
        #expect(await !loader(cache).findNews(since: [Samples.salon(9)]))
        #expect(cache.kept?.value == [Samples.salon(9)])
    }
}
