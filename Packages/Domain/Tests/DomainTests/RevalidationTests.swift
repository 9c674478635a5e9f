import Domain
import DomainTestSupport
import Testing

@Suite("Revalidation of cached values")
struct RevalidationTests {
    private let clock = ManualClock()
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

    @Test("unchanged salons come from the cache and are as fresh as newly loaded ones")
    func unchanged() async throws {
        server.version("v1")
        let cache = cached("v1", ageSeconds: 30 * 86_400)
        let loaded = try await loader(cache).load()
        #expect(loaded.value == [Samples.salon(9)])
        #expect(loaded.provenance.source == .revalidated && loaded.provenance.source.isCurrent)
        #expect(loaded.provenance.ageSeconds == 0)
        #expect(cache.cached?.fetchedAt == clock.now && cache.cached?.validators == "v1")
    }

    @Test("changed salons are downloaded and cached with their validators")
    func changed() async throws {
        server.version("v2")
        let cache = cached("v1")
        let loaded = try await loader(cache).load()
        #expect(loaded.value == [Samples.salon(1)] && loaded.provenance.source == .server)
        #expect(cache.cached?.validators == "v2")
        #expect(server.requestedValidators == ["v1"])
    }

    @Test("without validators the request is unconditional", arguments: [nil, "v1"])
    func unknownVersion(version: String?) async throws {
        server.version(version)
        #expect(try await loader(cached(nil)).load().provenance.source == .server)
        #expect(try await loader(CacheSpy()).load().provenance.source == .server)
        #expect(server.requestedValidators == [nil, nil])
    }

    @Test("if the cached value cannot be read, the whole value is requested")
    func unreadable() async throws {
        server.version("v1")
        let cache = cached("v1")
        cache.fail(.retrieval)
        let loaded = try await loader(cache).load()
        #expect(loaded.value == [Samples.salon(1)] && loaded.provenance.source == .server)
        #expect(server.requestedValidators == ["v1", nil])
    }

    @Test("if a different process replaced the cached value, the whole value is requested")
    func replacedMeanwhile() async throws {
        server.version("v1")
        let cache = cached("v1")
        server.beforeResponse {
            let other = CachedValue(
                value: [Samples.salon(5)],
                fetchedAt: Timestamp(secondsSince1970: 0),
                validators: "v0"
            )
            try? cache.replace(with: other)
        }
        #expect(try await loader(cache).load().provenance.source == .server)
        #expect(server.requestedValidators == ["v1", nil])
    }

    @Test("a failed update of the fetch time does not fail the load, and is reported")
    func cannotRefresh() async throws {
        server.version("v1")
        let cache = cached("v1")
        cache.fail(.insertion)
        let loaded = try await loader(cache).load()
        #expect(loaded.value == [Samples.salon(9)])
        #expect(loaded.provenance.cacheError == .cache(.insertion, reason: "set by the test"))
    }

    @Test("offline the validators do not matter: the cached value is used while it is fresh")
    func offline() async throws {
        server.answer(.failure(.connectivity(reason: "unplugged")))
        let loaded = try await loader(cached("v1")).load()
        #expect(loaded.provenance.source == .cache && loaded.provenance.ageSeconds == 60)
    }

    @Test("a value that was stored in a shared cache starts with the age that it had there")
    func aged() async throws {
        server.age(seconds: 90)
        let cache = CacheSpy<[Salon]>()
        let loaded = try await loader(cache).load()
        #expect(loaded.provenance.ageSeconds == 90)
        #expect(loaded.provenance.fetchedAt == clock.now.advanced(bySeconds: -90))
        #expect(cache.cached?.fetchedAt == clock.now.advanced(bySeconds: -90))
    }

    @Test(
        "an unchanged value is as old as the response states, but no older than before",
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
