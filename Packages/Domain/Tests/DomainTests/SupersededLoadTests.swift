import Domain
import DomainTestSupport
import Testing

@Suite("A list that a change supersedes while it is in transit")
struct SupersededLoadTests {
    private let latest = [Samples.appointment(1)]
    private let saved = [Samples.appointment(9)]

    private func fixture() -> LoadFixture<[Appointment]> {
        LoadFixture(.appointments, latest: latest, saved: saved, ageSeconds: 60, emptyValue: [])
    }

    @Test("is returned with a warning, and does not replace the cache")
    func duringRequest() async throws {
        let fixture = fixture()
        fixture.server.beforeResponse { [changes = fixture.changes] in changes.advance() }
        let loaded = try await fixture.loader.load()
        #expect(loaded.value == latest && loaded.provenance.source == .server)
        #expect(loaded.provenance.warning?.contains("not cached") == true)
        #expect(loaded.provenance.cacheError == nil && fixture.cache.cached?.value == saved)
    }

    @Test("does not replace the cache if the change comes right before the save")
    func beforeSave() async throws {
        let fixture = fixture()
        fixture.cache.beforeReplace { [changes = fixture.changes] in changes.advance() }
        #expect(try await fixture.loader.load().provenance.warning != nil)
        #expect(fixture.cache.cached?.value == saved)
    }

    @Test("keeps its old fetch time, too, if the server reports it as unchanged")
    func unchanged() async throws {
        let fixture = fixture()
        fixture.server.version("v1")
        let fetchedAt = fixture.clock.now.advanced(bySeconds: -60)
        let cached = CachedValue(value: saved, fetchedAt: fetchedAt, validators: "v1")
        try fixture.cache.replace(with: cached)
        fixture.server.beforeResponse { [changes = fixture.changes] in changes.advance() }
        let loaded = try await fixture.loader.load()
        #expect(loaded.provenance.source == .revalidated && loaded.provenance.warning != nil)
        #expect(fixture.cache.cached == cached)
    }

    @Test("is cached if it is requested after the change")
    func afterwards() async throws {
        let fixture = fixture()
        fixture.changes.advance()
        let loaded = try await fixture.loader.load()
        #expect(loaded.provenance.warning == nil && fixture.cache.cached?.value == latest)
    }

    @Test("is not cached by a revalidation either")
    func revalidation() async {
        let fixture = fixture()
        fixture.server.beforeResponse { [changes = fixture.changes] in changes.advance() }
        _ = try? await fixture.loader.update()
        #expect(fixture.cache.cached?.value == saved)
    }

    @Test("has a warning that does not say that it was not cached, if it followed the changes")
    func followed() async throws {
        let fixture = fixture()
        let loader = ResourceLoader(
            policy: .appointments,
            server: fixture.server,
            cache: fixture.cache,
            clock: fixture.clock,
            emptyValue: [],
            changes: fixture.changes,
            follower: FollowerDuringChange(changes: fixture.changes)
        )
        let loaded = try await loader.load()
        #expect(loaded.value == saved && loaded.provenance.source == .server)
        #expect(loaded.provenance.warning?.hasSuffix("it may not show the change") == true)
    }
}

/// Finds changes at the server, while a change is sent.
private struct FollowerDuringChange: FeedFollower {
    let changes: InMemoryChangeCounter
    var state: FollowerState { .unsupported() }

    func follow(
        waiting wait: Duration,
        if isFresh: (Timestamp) -> Bool
    ) async throws(CancellationError) -> FollowedChanges {
        changes.advance()
        return .some
    }

    func avoidFeed(after failure: FeedFailure) {}
}
