import Domain
import DomainTestSupport
import Testing

@Suite("A server that says what has not changed")
struct RevalidationTests {
    private let clock = SteppedClock()
    private let server = ResourceAPIStub<[Salon]>(.success([Samples.salon(1)]))

    private func loader(_ cache: CacheSpy<[Salon]>) -> ResourceLoader<[Salon]> {
        ResourceLoader(policy: .salons, server: server, cache: cache, clock: clock, emptyValue: [])
    }

    private func cached(_ validators: String?, ageSeconds: Int64 = 60) -> CacheSpy<[Salon]> {
        let fetchedAt = clock.now.advanced(bySeconds: -ageSeconds)
        return CacheSpy(
            CachedValue(
                value: [Samples.salon(9)],
                fetchedAt: fetchedAt,
                validators: validators
            )
        )
    }

    @Test("unchanged salons come from the cache, and are as young as if they had been loaded")
    func unchanged() async throws {
        server.version("v1")
        let cache = cached("v1", ageSeconds: 30 * 86_400)
        let loaded = try await loader(cache).load()
        #expect(loaded.value == [Samples.salon(9)])
        #expect(loaded.provenance.source == .revalidated)
        #expect(loaded.provenance.ageSeconds == 0)
        #expect(cache.cached?.fetchedAt == clock.now && cache.cached?.validators == "v1")
    }

    @Test("changed salons are loaded whole, and kept with what tells their version")
    func changed() async throws {
        server.version("v2")
        let cache = cached("v1")
        let loaded = try await loader(cache).load()
        #expect(loaded.value == [Samples.salon(1)] && loaded.provenance.source == .server)
        #expect(cache.cached?.validators == "v2")
        #expect(server.asked == ["v1"])
    }

    @Test("without what tells the version the whole is asked for", arguments: [nil, "v1"])
    func unknownVersion(version: String?) async throws {
        server.version(version)
        #expect(try await loader(cached(nil)).load().provenance.source == .server)
        #expect(try await loader(CacheSpy()).load().provenance.source == .server)
        #expect(server.asked == [nil, nil])
    }

    @Test("a cache that cannot be read when it is needed costs a second, whole load")
    func unreadable() async throws {
        server.version("v1")
        let cache = cached("v1")
        cache.fail(.retrieval)
        let loaded = try await loader(cache).load()
        #expect(loaded.value == [Samples.salon(1)] && loaded.provenance.source == .server)
        #expect(server.asked == ["v1", nil])
    }

    @Test("a cache that another process replaced meanwhile costs a second, whole load")
    func replacedMeanwhile() async throws {
        server.version("v1")
        let cache = cached("v1")
        server.beforeAnswer {
            let other = CachedValue(
                value: [Samples.salon(5)],
                fetchedAt: Timestamp(secondsSince1970: 0),
                validators: "v0"
            )
            try? cache.replace(with: other)
        }
        #expect(try await loader(cache).load().provenance.source == .server)
        #expect(server.asked == ["v1", nil])
    }

    @Test("an age that cannot be written down does not fail the load, and is told")
    func cannotRefresh() async throws {
        server.version("v1")
        let cache = cached("v1")
        cache.fail(.insertion)
        let loaded = try await loader(cache).load()
        #expect(loaded.value == [Samples.salon(9)])
        #expect(loaded.provenance.cacheError?.operation == .insertion)
    }

    @Test("offline the version is of no use: the cache stands in by its age")
    func offline() async throws {
        server.answer(.failure(.connectivity(reason: "unplugged")))
        let loaded = try await loader(cached("v1")).load()
        #expect(loaded.provenance.source == .cache && loaded.provenance.ageSeconds == 60)
    }

    @Test("the age that came with a value counts from the start")
    func aged() async throws {
        server.age(seconds: 90)
        let cache = CacheSpy<[Salon]>()
        let loaded = try await loader(cache).load()
        #expect(loaded.provenance.ageSeconds == 90)
        #expect(loaded.provenance.fetchedAt == clock.now.advanced(bySeconds: -90))
        #expect(cache.cached?.fetchedAt == clock.now.advanced(bySeconds: -90))
    }

    @Test(
        "an unchanged value is as old as the answer says, but no older than it was",
        arguments: [(300, 90, 90), (60, 90, 60), (60, 0, 0), (-5, 90, 90), (0, 90, 0)]
            as [(Int64, Int64, Int64)]
    )
    func agedUnchanged(cachedAge: Int64, answerAge: Int64, expected: Int64) async throws {
        server.version("v1")
        server.age(seconds: answerAge)
        let cache = cached("v1", ageSeconds: cachedAge)
        #expect(try await loader(cache).load().provenance.ageSeconds == expected)
        #expect(cache.cached?.fetchedAt == clock.now.advanced(bySeconds: -expected))
    }
}
