import Domain
import DomainTestSupport
import Testing

/// The scenarios and courses of seeds 001 and 002 about the feed itself.
@Suite("Customer requests to see their image feed")
struct LoadFeedTests {
    private static let day: Int64 = 86_400
    private let latest = [Samples.feedImage(1), Samples.feedImage(2)]
    private let saved = [Samples.feedImage(9)]

    private func online() -> LoadFixture<[FeedImage]> {
        LoadFixture(.feed, latest: latest, saved: saved, ageSeconds: 60, emptyValue: [])
    }

    private func offline(ageSeconds: Int64) -> LoadFixture<[FeedImage]> {
        LoadFixture(.feed, latest: nil, saved: saved, ageSeconds: ageSeconds, emptyValue: [])
    }

    private func offlineEmpty() -> LoadFixture<[FeedImage]> {
        LoadFixture(.feed, latest: nil, emptyValue: [])
    }

    @Test("with connectivity the latest feed from the remote is displayed and replaces the cache")
    func latestFromRemote() async throws {
        let fixture = online()
        let loaded = try await fixture.loader.load()
        #expect(loaded.value == latest && loaded.provenance.source == .remote)
        #expect(fixture.cache.cached == CachedValue(value: latest, fetchedAt: fixture.clock.now))
    }

    @Test("offline with a cache less than 7 days old the latest feed saved is displayed")
    func offlineFresh() async throws {
        let fixture = offline(ageSeconds: 7 * Self.day - 1)
        let loaded = try await fixture.loader.load()
        #expect(loaded.value == saved && loaded.provenance.source == .cache)
        #expect(loaded.provenance.remoteError == LoadFixture<[FeedImage]>.offline)
    }

    @Test("load feed from remote, primary course: what was downloaded is delivered")
    func remotePrimary() async throws {
        let fixture = LoadFixture(.feed, latest: latest, emptyValue: [])
        #expect(try await fixture.loader.load().value == latest)
        #expect(fixture.remote.calls == 1)
    }

    @Test("load feed from remote, invalid data course: the error is delivered, never the cache")
    func remoteInvalid() async {
        let fixture = online()
        fixture.remote.answer(.failure(.invalidData(reason: "items[0].id")))
        #expect(await fixture.failure() == .remote(.invalidData(reason: "items[0].id")))
        #expect(fixture.cache.messages.isEmpty)
    }

    @Test("load feed from cache, primary course: what is fresh is delivered without the remote")
    func cachePrimary() async throws {
        let fixture = offline(ageSeconds: 5)
        #expect(try await fixture.loader.load(.cacheOnly).value == saved)
        #expect(fixture.remote.calls == 0)
    }

    @Test("cache feed, primary course: timestamped, in the place of the old")
    func savePrimary() async throws {
        let fixture = online()
        fixture.clock.advance(bySeconds: 30)
        _ = try await fixture.loader.load()
        #expect(fixture.cache.cached == CachedValue(value: latest, fetchedAt: fixture.clock.now))
    }

    @Test("cache feed, deleting error course: nothing is deleted first, so nothing can fail")
    func saveDeleting() async throws {
        let fixture = online()
        fixture.cache.fail(.deletion)
        #expect(try await fixture.loader.load().provenance.cacheError == nil)
        #expect(fixture.cache.cached?.value == latest)
    }

    @Test("cache feed, saving error course: the error is delivered beside what was loaded")
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
        #expect(await fixture.failure() == .remote(LoadFixture<[FeedImage]>.offline))
        #expect((fixture.cache.cached == nil) == false)
    }

    @Test("offline with an empty cache an error is displayed")
    func offlineNothing() async {
        #expect(await offlineEmpty().failure() == .remote(LoadFixture<[FeedImage]>.offline))
    }

    @Test("load feed from remote, no connectivity course: the connectivity error is delivered")
    func remoteOffline() async {
        #expect(await offlineEmpty().failure() == .remote(LoadFixture<[FeedImage]>.offline))
    }

    @Test("load feed from cache, empty course: a connectivity error is delivered")
    func cacheEmpty() async {
        guard case .remote(.connectivity) = await offlineEmpty().failure(.cacheOnly) else {
            Issue.record("no connectivity error")
            return
        }
    }

    @Test(
        "load feed from cache, retrieval error course: the error is delivered and nothing deleted"
    )
    func cacheRetrieval() async {
        let fixture = offline(ageSeconds: 5)
        fixture.cache.fail(.retrieval)
        let expected = CacheError(.retrieval, reason: "set by the test")
        #expect(await fixture.failure() == .cache(expected))
        #expect((fixture.cache.cached == nil) == false)
    }

    @Test("load feed from cache, expired course: no images but an error, and the cache stays")
    func cacheExpired() async {
        let fixture = offline(ageSeconds: 20 * Self.day)
        guard case .remote(.connectivity) = await fixture.failure(.cacheOnly) else {
            Issue.record("no connectivity error")
            return
        }
        #expect((fixture.cache.cached == nil) == false)
    }

    @Test("validate feed cache, primary course: what is less than 7 days old is left alone")
    func validateFresh() throws {
        let fixture = offline(ageSeconds: 7 * Self.day - 1)
        #expect(try fixture.loader.validateCache() == .valid)
        #expect(fixture.cache.cached != nil)
    }

    @Test("validate feed cache, retrieval error course: it is deleted")
    func validateUnreadable() throws {
        let fixture = offline(ageSeconds: 0)
        fixture.cache.fail(.retrieval)
        #expect(try fixture.loader.validateCache() == .deletedUnreadable)
        #expect(fixture.cache.cached == nil)
    }

    @Test("validate feed cache, expired course: it is deleted")
    func validateExpired() throws {
        let fixture = offline(ageSeconds: 7 * Self.day)
        #expect(try fixture.loader.validateCache() == .deletedExpired)
        #expect(fixture.cache.cached == nil)
    }
}
