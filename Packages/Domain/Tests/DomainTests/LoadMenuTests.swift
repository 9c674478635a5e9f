import Domain
import DomainTestSupport
import Testing

/// The scenarios and courses of seed 004 about the menu itself.
@Suite("Customer requests to see the menu")
struct LoadMenuTests {
    private static let day: Int64 = 86_400
    private let latest = [Samples.menuItem(1), Samples.menuItem(2)]
    private let saved = [Samples.menuItem(9)]

    private func online() -> LoadFixture<[MenuItem]> {
        LoadFixture(.menu, latest: latest, saved: saved, ageSeconds: 60, emptyValue: [])
    }

    private func offline(ageSeconds: Int64) -> LoadFixture<[MenuItem]> {
        LoadFixture(.menu, latest: nil, saved: saved, ageSeconds: ageSeconds, emptyValue: [])
    }

    private func offlineEmpty() -> LoadFixture<[MenuItem]> {
        LoadFixture(.menu, latest: nil, emptyValue: [])
    }

    @Test("with connectivity the latest menu from the remote is displayed and replaces the cache")
    func latestFromRemote() async throws {
        let fixture = online()
        let loaded = try await fixture.loader.load()
        #expect(loaded.value == latest && loaded.provenance.source == .remote)
        #expect(fixture.cache.cached == CachedValue(value: latest, fetchedAt: fixture.clock.now))
    }

    @Test("offline with a cache less than 14 days old the latest menu saved is displayed")
    func offlineFresh() async throws {
        let fixture = offline(ageSeconds: 14 * Self.day - 1)
        let loaded = try await fixture.loader.load()
        #expect(loaded.value == saved && loaded.provenance.source == .cache)
        #expect(loaded.provenance.remoteError == LoadFixture<[MenuItem]>.offline)
    }

    @Test("load menu from remote, primary course: what was downloaded is delivered")
    func remotePrimary() async throws {
        let fixture = LoadFixture(.menu, latest: latest, emptyValue: [])
        #expect(try await fixture.loader.load().value == latest)
        #expect(fixture.remote.calls == 1)
    }

    @Test("load menu from remote, invalid data course: the error is delivered, never the cache")
    func remoteInvalid() async {
        let fixture = online()
        fixture.remote.answer(.failure(.invalidData(reason: "items[0].id")))
        #expect(await fixture.failure() == .remote(.invalidData(reason: "items[0].id")))
        #expect(fixture.cache.messages.isEmpty)
    }

    @Test("load menu from cache, primary course: what is fresh is delivered without the remote")
    func cachePrimary() async throws {
        let fixture = offline(ageSeconds: 5)
        #expect(try await fixture.loader.load(.cacheOnly).value == saved)
        #expect(fixture.remote.calls == 0)
    }

    @Test("cache menu, primary course: timestamped, in the place of the old")
    func savePrimary() async throws {
        let fixture = online()
        fixture.clock.advance(bySeconds: 30)
        _ = try await fixture.loader.load()
        #expect(fixture.cache.cached == CachedValue(value: latest, fetchedAt: fixture.clock.now))
    }

    @Test("cache menu, deleting error course: nothing is deleted first, so nothing can fail")
    func saveDeleting() async throws {
        let fixture = online()
        fixture.cache.fail(.deletion)
        #expect(try await fixture.loader.load().provenance.cacheError == nil)
        #expect(fixture.cache.cached?.value == latest)
    }

    @Test("cache menu, saving error course: the error is delivered beside what was loaded")
    func saveFails() async throws {
        let fixture = online()
        fixture.cache.fail(.insertion)
        let loaded = try await fixture.loader.load()
        #expect(loaded.value == latest && loaded.provenance.cacheError?.operation == .insertion)
        #expect(fixture.cache.cached?.value == saved)
    }

    @Test(
        "offline with a cache two weeks old or more an error is displayed",
        arguments: [14 * day, 14 * day + 1, -1]
    )
    func offlineExpired(ageSeconds: Int64) async {
        let fixture = offline(ageSeconds: ageSeconds)
        #expect(await fixture.failure() == .remote(LoadFixture<[MenuItem]>.offline))
        #expect((fixture.cache.cached == nil) == true)
    }

    @Test("offline with an empty cache an error is displayed")
    func offlineNothing() async {
        #expect(await offlineEmpty().failure() == .remote(LoadFixture<[MenuItem]>.offline))
    }

    @Test("load menu from remote, no connectivity course: the connectivity error is delivered")
    func remoteOffline() async {
        #expect(await offlineEmpty().failure() == .remote(LoadFixture<[MenuItem]>.offline))
    }

    @Test("load menu from cache, empty course: a connectivity error is delivered")
    func cacheEmpty() async {
        guard case .remote(.connectivity) = await offlineEmpty().failure(.cacheOnly) else {
            Issue.record("no connectivity error")
            return
        }
    }

    @Test(
        "load menu from cache, retrieval error course: the error is delivered and nothing deleted"
    )
    func cacheRetrieval() async {
        let fixture = offline(ageSeconds: 5)
        fixture.cache.fail(.retrieval)
        let expected = CacheError(.retrieval, reason: "set by the test")
        #expect(await fixture.failure() == .cache(expected))
        #expect((fixture.cache.cached == nil) == false)
    }

    @Test("load menu from cache, expired course: an error, and the cache is deleted")
    func cacheExpired() async {
        let fixture = offline(ageSeconds: 20 * Self.day)
        guard case .remote(.connectivity) = await fixture.failure(.cacheOnly) else {
            Issue.record("no connectivity error")
            return
        }
        #expect((fixture.cache.cached == nil) == true)
    }

    @Test("validate menu cache, primary course: what is less than 14 days old is left alone")
    func validateFresh() throws {
        let fixture = offline(ageSeconds: 14 * Self.day - 1)
        #expect(try fixture.loader.validateCache() == .valid)
        #expect(fixture.cache.cached != nil)
    }

    @Test("validate menu cache, retrieval error course: it is deleted")
    func validateUnreadable() throws {
        let fixture = offline(ageSeconds: 0)
        fixture.cache.fail(.retrieval)
        #expect(try fixture.loader.validateCache() == .deletedUnreadable)
        #expect(fixture.cache.cached == nil)
    }

    @Test("validate menu cache, expired course: it is deleted")
    func validateExpired() throws {
        let fixture = offline(ageSeconds: 14 * Self.day)
        #expect(try fixture.loader.validateCache() == .deletedExpired)
        #expect(fixture.cache.cached == nil)
    }
}
