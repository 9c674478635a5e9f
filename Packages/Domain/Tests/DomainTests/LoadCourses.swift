import Domain
import DomainTestSupport
import Testing

/// The use case courses that the seeds share for all lists. The policies differ in the maximum age,
/// and in when an expired or unreadable cache is deleted.
struct LoadCourses<Model: Sendable & Equatable>: Sendable {
    let policy: CachePolicy
    /// The age in seconds at which the cache expires.
    let maximumAge: Int64
    let isExpiredCacheDeleted: Bool
    let isUnreadableCacheDeleted: Bool
    let latest: [Model]
    let saved: [Model]

    private func online() -> LoadFixture<[Model]> {
        LoadFixture(policy, latest: latest, saved: saved, ageSeconds: 60, emptyValue: [])
    }

    private func offline(ageSeconds: Int64) -> LoadFixture<[Model]> {
        LoadFixture(policy, latest: nil, saved: saved, ageSeconds: ageSeconds, emptyValue: [])
    }

    func offlineEmpty() -> LoadFixture<[Model]> {
        LoadFixture(policy, latest: nil, emptyValue: [])
    }

    func latestFromServer() async throws {
        let fixture = online()
        let loaded = try await fixture.loader.load()
        #expect(loaded.value == latest && loaded.provenance.source == .server)
        #expect(fixture.cache.cached == CachedValue(value: latest, fetchedAt: fixture.clock.now))
    }

    func offlineFresh() async throws {
        let fixture = offline(ageSeconds: maximumAge - 1)
        let loaded = try await fixture.loader.load()
        #expect(loaded.value == saved && loaded.provenance.source == .cache)
        #expect(loaded.provenance.serverError == LoadFixture<[Model]>.offline)
    }

    func serverPrimary() async throws {
        let fixture = LoadFixture(policy, latest: latest, emptyValue: [])
        #expect(try await fixture.loader.load().value == latest)
        #expect(fixture.server.calls == 1)
    }

    func serverInvalid() async {
        let fixture = online()
        fixture.server.answer(.failure(.invalidData(reason: "items[0].id")))
        #expect(await fixture.failure() == .invalidData(reason: "items[0].id"))
        #expect(fixture.cache.messages.isEmpty)
    }

    func cachePrimary() async throws {
        let fixture = offline(ageSeconds: 5)
        #expect(try await fixture.loader.load(.cacheOnly).value == saved)
        #expect(fixture.server.calls == 0)
    }

    func savePrimary() async throws {
        let fixture = online()
        fixture.clock.advance(bySeconds: 30)
        _ = try await fixture.loader.load()
        #expect(fixture.cache.cached == CachedValue(value: latest, fetchedAt: fixture.clock.now))
    }

    func saveDeleting() async throws {
        let fixture = online()
        fixture.cache.fail(.deletion)
        #expect(try await fixture.loader.load().provenance.cacheError == nil)
        #expect(fixture.cache.cached?.value == latest)
    }

    func saveFails() async throws {
        let fixture = online()
        fixture.cache.fail(.insertion)
        let loaded = try await fixture.loader.load()
        #expect(
            loaded.value == latest
                && loaded.provenance.cacheError == .cache(.insertion, reason: "set by the test")
        )
        #expect(fixture.cache.cached?.value == saved)
    }

    func offlineExpired(ageSeconds: Int64) async {
        let fixture = offline(ageSeconds: ageSeconds)
        #expect(await fixture.failure() == LoadFixture<[Model]>.offline)
        #expect((fixture.cache.cached == nil) == isExpiredCacheDeleted)
    }

    func offlineFromFuture() async {
        let fixture = offline(ageSeconds: -61)
        guard case .connectivity(let reason, _) = await fixture.failure() else {
            Issue.record("no connectivity error")
            return
        }
        #expect(reason.hasPrefix("unplugged; ") && reason.contains("from the future"))
        #expect(fixture.cache.cached?.value == saved)
    }

    func cacheRetrieval() async {
        let fixture = offline(ageSeconds: 5)
        fixture.cache.fail(.retrieval)
        let expected = Failure.cache(.retrieval, reason: "set by the test")
        #expect(await fixture.failure() == expected)
        #expect((fixture.cache.cached == nil) == isUnreadableCacheDeleted)
    }

    func cacheExpired() async {
        let fixture = offline(ageSeconds: 2 * maximumAge + 1)
        guard case .connectivity = await fixture.failure(.cacheOnly) else {
            Issue.record("no connectivity error")
            return
        }
        #expect((fixture.cache.cached == nil) == isExpiredCacheDeleted)
    }

    func validateFresh() throws {
        let fixture = offline(ageSeconds: maximumAge - 1)
        #expect(try fixture.loader.validateCache() == .valid)
        #expect(fixture.cache.cached != nil)
    }

    func validateUnreadable() throws {
        let fixture = offline(ageSeconds: 0)
        fixture.cache.fail(.retrieval)
        #expect(try fixture.loader.validateCache() == .deletedUnreadable)
        #expect(fixture.cache.cached == nil)
    }

    func validateExpired() throws {
        let fixture = offline(ageSeconds: maximumAge)
        #expect(try fixture.loader.validateCache() == .deletedExpired)
        #expect(fixture.cache.cached == nil)
    }
}
