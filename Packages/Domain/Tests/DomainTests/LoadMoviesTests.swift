import Domain
import DomainTestSupport
import Testing

/// The narratives and courses of seed 003.
@Suite("User requests to see upcoming movies")
struct LoadMoviesTests {
    private static let day: Int64 = 86_400
    private let latest = [Samples.movie(1), Samples.movie(2)]
    private let saved = [Samples.movie(9)]

    private func online() -> LoadFixture<[Movie]> {
        LoadFixture(.movies, latest: latest, saved: saved, ageSeconds: 60, emptyValue: [])
    }

    private func offline(ageSeconds: Int64) -> LoadFixture<[Movie]> {
        LoadFixture(.movies, latest: nil, saved: saved, ageSeconds: ageSeconds, emptyValue: [])
    }

    private func offlineEmpty() -> LoadFixture<[Movie]> {
        LoadFixture(.movies, latest: nil, emptyValue: [])
    }

    @Test("with connectivity the latest movies from the remote are displayed and replace the cache")
    func latestFromRemote() async throws {
        let fixture = online()
        let loaded = try await fixture.loader.load()
        #expect(loaded.value == latest && loaded.provenance.source == .remote)
        #expect(fixture.cache.cached == CachedValue(value: latest, fetchedAt: fixture.clock.now))
    }

    @Test("offline with a cache less than 7 days old the latest movies saved are displayed")
    func offlineFresh() async throws {
        let fixture = offline(ageSeconds: 7 * Self.day - 1)
        let loaded = try await fixture.loader.load()
        #expect(loaded.value == saved && loaded.provenance.source == .cache)
        #expect(loaded.provenance.remoteError == LoadFixture<[Movie]>.offline)
    }

    @Test("load movies from remote, primary course: what was downloaded is delivered")
    func remotePrimary() async throws {
        let fixture = LoadFixture(.movies, latest: latest, emptyValue: [])
        #expect(try await fixture.loader.load().value == latest)
        #expect(fixture.remote.calls == 1)
    }

    @Test("load movies from remote, invalid data course: the error is delivered, never the cache")
    func remoteInvalid() async {
        let fixture = online()
        fixture.remote.answer(.failure(.invalidData(reason: "items[0].id")))
        #expect(await fixture.failure() == .remote(.invalidData(reason: "items[0].id")))
        #expect(fixture.cache.messages.isEmpty)
    }

    @Test("load movies from cache, primary course: what is fresh is delivered without the remote")
    func cachePrimary() async throws {
        let fixture = offline(ageSeconds: 5)
        #expect(try await fixture.loader.load(.cacheOnly).value == saved)
        #expect(fixture.remote.calls == 0)
    }

    @Test("cache movies, primary course: timestamped, in the place of the old")
    func savePrimary() async throws {
        let fixture = online()
        fixture.clock.advance(bySeconds: 30)
        _ = try await fixture.loader.load()
        #expect(fixture.cache.cached == CachedValue(value: latest, fetchedAt: fixture.clock.now))
    }

    @Test("cache movies, deleting error course: nothing is deleted first, so nothing can fail")
    func saveDeleting() async throws {
        let fixture = online()
        fixture.cache.fail(.deletion)
        #expect(try await fixture.loader.load().provenance.cacheError == nil)
        #expect(fixture.cache.cached?.value == latest)
    }

    @Test("cache movies, saving error course: the error is delivered beside what was loaded")
    func saveFails() async throws {
        let fixture = online()
        fixture.cache.fail(.insertion)
        let loaded = try await fixture.loader.load()
        #expect(loaded.value == latest && loaded.provenance.cacheError?.operation == .insertion)
        #expect(fixture.cache.cached?.value == saved)
    }

    @Test(
        "offline with a cache seven days old or more an error is displayed",
        arguments: [7 * day, 7 * day + 1, -1]
    )
    func offlineExpired(ageSeconds: Int64) async {
        let fixture = offline(ageSeconds: ageSeconds)
        #expect(await fixture.failure() == .remote(LoadFixture<[Movie]>.offline))
        #expect((fixture.cache.cached == nil) == true)
    }

    @Test("load movies from cache, empty course: no movies are delivered")
    func cacheEmpty() async throws {
        #expect(try await offlineEmpty().loader.load(.cacheOnly).value.isEmpty)
        let loaded = try await offlineEmpty().loader.load()
        #expect(loaded.value.isEmpty && loaded.provenance.source == .none)
    }

    @Test("load movies from remote, no connectivity course: the error is told beside the cache's")
    func remoteOffline() async throws {
        let loaded = try await offlineEmpty().loader.load()
        #expect(loaded.provenance.remoteError == LoadFixture<[Movie]>.offline)
    }

    @Test(
        "load movies from cache, retrieval error course: the error is delivered, the cache deleted"
    )
    func cacheRetrieval() async {
        let fixture = offline(ageSeconds: 5)
        fixture.cache.fail(.retrieval)
        let expected = CacheError(.retrieval, reason: "set by the test")
        #expect(await fixture.failure() == .cache(expected))
        #expect((fixture.cache.cached == nil) == true)
    }

    @Test("load movies from cache, expired course: an error, and the cache is deleted")
    func cacheExpired() async {
        let fixture = offline(ageSeconds: 20 * Self.day)
        guard case .remote(.connectivity) = await fixture.failure(.cacheOnly) else {
            Issue.record("no connectivity error")
            return
        }
        #expect((fixture.cache.cached == nil) == true)
    }

    @Test("validate movies cache, primary course: what is less than 7 days old is left alone")
    func validateFresh() throws {
        let fixture = offline(ageSeconds: 7 * Self.day - 1)
        #expect(try fixture.loader.validateCache() == .valid)
        #expect(fixture.cache.cached != nil)
    }

    @Test("validate movies cache, retrieval error course: it is deleted")
    func validateUnreadable() throws {
        let fixture = offline(ageSeconds: 0)
        fixture.cache.fail(.retrieval)
        #expect(try fixture.loader.validateCache() == .deletedUnreadable)
        #expect(fixture.cache.cached == nil)
    }

    @Test("validate movies cache, expired course: it is deleted")
    func validateExpired() throws {
        let fixture = offline(ageSeconds: 7 * Self.day)
        #expect(try fixture.loader.validateCache() == .deletedExpired)
        #expect(fixture.cache.cached == nil)
    }
}
