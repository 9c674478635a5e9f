import Domain
import DomainTestSupport
import Testing

/// The scenarios and courses of seeds 001 and 002 about the feed itself.
@Suite("Customer requests to see their image feed")
struct LoadFeedTests {
    private static let day: Int64 = 86_400
    private let latest = [Samples.feedImage(1), Samples.feedImage(2)]
    private let saved = [Samples.feedImage(9)]

    private func online() -> Bench<[FeedImage]> {
        Bench(.feed, latest: latest, saved: saved, ageSeconds: 60, emptyValue: [])
    }

    private func offline(ageSeconds: Int64) -> Bench<[FeedImage]> {
        Bench(.feed, latest: nil, saved: saved, ageSeconds: ageSeconds, emptyValue: [])
    }

    private func offlineEmpty() -> Bench<[FeedImage]> {
        Bench(.feed, latest: nil, emptyValue: [])
    }

    @Test("with connectivity the latest feed from the remote is displayed and replaces the cache")
    func latestFromRemote() async throws {
        let bench = online()
        let loaded = try await bench.loader.load()
        #expect(loaded.value == latest && loaded.provenance.source == .remote)
        #expect(bench.cache.cached == CachedValue(value: latest, fetchedAt: bench.clock.now))
    }

    @Test("offline with a cache less than 7 days old the latest feed saved is displayed")
    func offlineFresh() async throws {
        let bench = offline(ageSeconds: 7 * Self.day - 1)
        let loaded = try await bench.loader.load()
        #expect(loaded.value == saved && loaded.provenance.source == .cache)
        #expect(loaded.provenance.remoteError == Bench<[FeedImage]>.offline)
    }

    @Test("load feed from remote, primary course: what was downloaded is delivered")
    func remotePrimary() async throws {
        let bench = Bench(.feed, latest: latest, emptyValue: [])
        #expect(try await bench.loader.load().value == latest)
        #expect(bench.remote.calls == 1)
    }

    @Test("load feed from remote, invalid data course: the error is delivered, never the cache")
    func remoteInvalid() async {
        let bench = online()
        bench.remote.answer(.failure(.invalidData(reason: "items[0].id")))
        #expect(await bench.failure() == .remote(.invalidData(reason: "items[0].id")))
        #expect(bench.cache.messages.isEmpty)
    }

    @Test("load feed from cache, primary course: what is fresh is delivered without the remote")
    func cachePrimary() async throws {
        let bench = offline(ageSeconds: 5)
        #expect(try await bench.loader.load(.cacheOnly).value == saved)
        #expect(bench.remote.calls == 0)
    }

    @Test("cache feed, primary course: timestamped, in the place of the old")
    func savePrimary() async throws {
        let bench = online()
        bench.clock.advance(bySeconds: 30)
        _ = try await bench.loader.load()
        #expect(bench.cache.cached == CachedValue(value: latest, fetchedAt: bench.clock.now))
    }

    @Test("cache feed, deleting error course: nothing is deleted first, so nothing can fail")
    func saveDeleting() async throws {
        let bench = online()
        bench.cache.fail(.deletion)
        #expect(try await bench.loader.load().provenance.cacheError == nil)
        #expect(bench.cache.cached?.value == latest)
    }

    @Test("cache feed, saving error course: the error is delivered beside what was loaded")
    func saveFails() async throws {
        let bench = online()
        bench.cache.fail(.insertion)
        let loaded = try await bench.loader.load()
        #expect(loaded.value == latest && loaded.provenance.cacheError?.operation == .insertion)
        #expect(bench.cache.cached?.value == saved)
    }

    @Test(
        "offline with a cache seven days old or more an error is displayed",
        arguments: [7 * day, 7 * day + 1, -1]
    )
    func offlineExpired(ageSeconds: Int64) async {
        let bench = offline(ageSeconds: ageSeconds)
        #expect(await bench.failure() == .remote(Bench<[FeedImage]>.offline))
        #expect((bench.cache.cached == nil) == false)
    }

    @Test("offline with an empty cache an error is displayed")
    func offlineNothing() async {
        #expect(await offlineEmpty().failure() == .remote(Bench<[FeedImage]>.offline))
    }

    @Test("load feed from remote, no connectivity course: the connectivity error is delivered")
    func remoteOffline() async {
        #expect(await offlineEmpty().failure() == .remote(Bench<[FeedImage]>.offline))
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
        let bench = offline(ageSeconds: 5)
        bench.cache.fail(.retrieval)
        let expected = CacheError(.retrieval, reason: "set by the test")
        #expect(await bench.failure() == .cache(expected))
        #expect((bench.cache.cached == nil) == false)
    }

    @Test("load feed from cache, expired course: no images but an error, and the cache stays")
    func cacheExpired() async {
        let bench = offline(ageSeconds: 20 * Self.day)
        guard case .remote(.connectivity) = await bench.failure(.cacheOnly) else {
            Issue.record("no connectivity error")
            return
        }
        #expect((bench.cache.cached == nil) == false)
    }

    @Test("validate feed cache, primary course: what is less than 7 days old is left alone")
    func validateFresh() throws {
        let bench = offline(ageSeconds: 7 * Self.day - 1)
        #expect(try bench.loader.validateCache() == .valid)
        #expect(bench.cache.cached != nil)
    }

    @Test("validate feed cache, retrieval error course: it is deleted")
    func validateUnreadable() throws {
        let bench = offline(ageSeconds: 0)
        bench.cache.fail(.retrieval)
        #expect(try bench.loader.validateCache() == .deletedUnreadable)
        #expect(bench.cache.cached == nil)
    }

    @Test("validate feed cache, expired course: it is deleted")
    func validateExpired() throws {
        let bench = offline(ageSeconds: 7 * Self.day)
        #expect(try bench.loader.validateCache() == .deletedExpired)
        #expect(bench.cache.cached == nil)
    }
}
