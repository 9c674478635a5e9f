import Domain
import DomainTestSupport
import Testing

/// The scenarios and courses of seed 000, story 1.
@Suite("Customer requests to see available salons")
struct LoadSalonsTests {
    private let week: Int64 = 7 * 86_400
    private let clock = ManualClock()
    private let server = ResourceAPIStub<[Salon]>(.success([Samples.salon(1), Samples.salon(2)]))
    private let offline = Failure.connectivity(reason: "unplugged")

    private func loader(_ cache: CacheSpy<[Salon]>) -> ResourceLoader<[Salon]> {
        ResourceLoader(policy: .salons, server: server, cache: cache, clock: clock, emptyValue: [])
    }

    private func cached(ageSeconds: Int64) -> CacheSpy<[Salon]> {
        let fetchedAt = clock.now.advanced(bySeconds: -ageSeconds)
        return CacheSpy(CachedValue(value: [Samples.salon(9)], fetchedAt: fetchedAt))
    }

    @Test("with connectivity the latest salons are shown and replace the cache")
    func online() async throws {
        let cache = cached(ageSeconds: 60)
        let loaded = try await loader(cache).load()
        #expect(loaded.value == [Samples.salon(1), Samples.salon(2)])
        #expect(loaded.provenance.source == .server)
        #expect(loaded.provenance.expiresAt == clock.now.advanced(bySeconds: week))
        #expect(cache.cached == CachedValue(value: loaded.value, fetchedAt: clock.now))
        #expect(cache.messages == [.replace])
    }

    @Test("offline with a cache less than seven days old shows the cached salons")
    func offlineFresh() async throws {
        server.answer(.failure(offline))
        let cache = cached(ageSeconds: week - 1)
        let loaded = try await loader(cache).load()
        #expect(loaded.value == [Samples.salon(9)])
        #expect(loaded.provenance.source == .cache)
        #expect(loaded.provenance.ageSeconds == week - 1)
        #expect(loaded.provenance.serverError == offline)
        #expect(cache.messages == [.retrieve])
    }

    @Test(
        "offline with an expired cache delivers no salons and deletes it",
        arguments: [7 * 86_400, 7 * 86_400 + 1, 365 * 86_400] as [Int64]
    )
    func offlineExpired(ageSeconds: Int64) async throws {
        server.answer(.failure(offline))
        let cache = cached(ageSeconds: ageSeconds)
        let loaded = try await loader(cache).load()
        #expect(loaded.value.isEmpty)
        #expect(loaded.provenance.source == .none)
        #expect(cache.cached == nil)
    }

    @Test("offline with an empty cache shows an empty list")
    func offlineEmpty() async throws {
        server.answer(.failure(offline))
        let loaded = try await loader(CacheSpy()).load()
        #expect(loaded.value.isEmpty)
        #expect(loaded.provenance.source == .none)
        #expect(loaded.provenance.serverError == offline)
    }

    @Test(
        "offline with a cache from the future delivers no salons, and keeps it until the clock is right",
        arguments: [LoadStrategy.serverFirst, .cacheOnly, .cacheFirst, .staleWhileRevalidate],
        [61, 30 * 365 * 86_400] as [Int64]
    )
    func clockBehind(strategy: LoadStrategy, seconds: Int64) async throws {
        server.answer(.failure(offline))
        let cache = cached(ageSeconds: 0)
        clock.advance(bySeconds: -seconds)
        let loaded = try await loader(cache).load(strategy)
        #expect(loaded.value.isEmpty && loaded.provenance.source == .none)
        let warning = try #require(loaded.provenance.warning)
        #expect(warning.contains("from the future") && warning.contains("clock is behind"))
        #expect(try loader(cache).validateCache() == .fromFuture)
        #expect(try loader(cache).inspectCache()?.isFromFuture == true)
        #expect(!cache.messages.contains(.delete))
        clock.advance(bySeconds: seconds)
        #expect(try await loader(cache).load().value == [Samples.salon(9)])
    }

    @Test("with a cache from the future, a server that fails is an error, and nothing is deleted")
    func clockBehindUnavailable() async throws {
        let slow = Failure.unavailable(reason: "slow")
        server.answer(.failure(slow))
        let cache = cached(ageSeconds: -61)
        await #expect(throws: slow) { try await loader(cache).load() }
        #expect(cache.cached?.value == [Samples.salon(9)])
    }

    @Test("a list that is loaded while the clock is behind replaces one from the future")
    func loadedWhileBehind() async throws {
        let cache = cached(ageSeconds: -86_400)
        #expect(try await loader(cache).load().provenance.ageSeconds == 0)
        server.answer(.failure(offline))
        let cached = try await loader(cache).load()
        #expect(cached.value.count == 2 && cached.provenance.warning == nil)
    }

    @Test("after a correction of the clock, the cached salons are shown", arguments: [-60, -1])
    func correctedClock(seconds: Int64) async throws {
        server.answer(.failure(offline))
        let cache = cached(ageSeconds: 0)
        clock.advance(bySeconds: seconds)
        let loaded = try await loader(cache).load()
        #expect(loaded.value == [Samples.salon(9)])
        #expect(loaded.provenance.ageSeconds == 0 && cache.cached != nil)
    }

    @Test("load from the server, primary course: the salons are delivered")
    func serverPrimaryCourse() async throws {
        #expect(try await loader(CacheSpy()).load().value.count == 2)
        #expect(server.calls == 1)
    }

    @Test("load from the server, invalid data course: the error is delivered, never the cache")
    func serverInvalidData() async {
        server.answer(.failure(.invalidData(reason: "salons[0].id")))
        let cache = cached(ageSeconds: 1)
        await #expect(throws: Failure.invalidData(reason: "salons[0].id")) {
            try await loader(cache).load()
        }
        #expect(cache.messages.isEmpty)
    }

    @Test("load from the server, no connectivity course: the error comes with the cached salons")
    func serverNoConnectivity() async throws {
        server.answer(.failure(offline))
        #expect(try await loader(cached(ageSeconds: 1)).load().provenance.serverError == offline)
    }

    @Test("load from cache, primary course: fresh salons are delivered without a request")
    func cachePrimaryCourse() async throws {
        let loaded = try await loader(cached(ageSeconds: 5)).load(.cacheOnly)
        #expect(loaded.value == [Samples.salon(9)])
        #expect(loaded.provenance.serverError == nil)
        #expect(server.calls == 0)
    }

    @Test("load from cache, retrieval error course: the error is delivered and nothing deleted")
    func cacheRetrievalError() async {
        server.answer(.failure(offline))
        let cache = cached(ageSeconds: 1)
        cache.fail(.retrieval)
        let expected = Failure.cache(.retrieval, reason: "set by the test")
        await #expect(throws: expected) { try await loader(cache).load() }
        #expect(cache.cached != nil)
    }

    @Test("load from cache, expired course: no salons are delivered")
    func cacheExpired() async throws {
        #expect(try await loader(cached(ageSeconds: week)).load(.cacheOnly).value.isEmpty)
    }

    @Test("load from cache, empty course: no salons are delivered")
    func cacheEmpty() async throws {
        #expect(try await loader(CacheSpy()).load(.cacheOnly).value.isEmpty)
    }

    @Test("a failed deletion of an expired cache is reported, and no salons are shown")
    func deletionFails() async throws {
        server.answer(.failure(offline))
        let cache = cached(ageSeconds: week)
        cache.fail(.deletion)
        let loaded = try await loader(cache).load()
        #expect(loaded.value.isEmpty)
        #expect(loaded.provenance.cacheError == .cache(.deletion, reason: "set by the test"))
    }
}
