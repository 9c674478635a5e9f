import Domain
import DomainTestSupport
import Testing

/// The courses of seeds 001 and 004 about image data. The engine treats it like any other value.
@Suite("Load image data")
struct LoadImageDataTests {
    private func fixture(latest: String?, saved: String? = nil) -> LoadFixture<String> {
        LoadFixture(
            .imageData,
            latest: latest,
            saved: saved,
            ageSeconds: 9_999_999,
            emptyValue: nil
        )
    }

    @Test("from cache, primary course: cached data of any age is delivered without a request")
    func cachePrimary() async throws {
        let fixture = fixture(latest: "new", saved: "old")
        let loaded = try await fixture.loader.load(.cacheFirst)
        #expect(loaded.value == "old" && loaded.provenance.source == .cache)
        #expect(fixture.server.calls == 0)
    }

    @Test("from cache, cancel course: no image data and no other error is delivered")
    func cacheCancel() async {
        let fixture = fixture(latest: "new", saved: "old")
        for strategy in [LoadStrategy.cacheFirst, .cacheOnly] {
            let task = Task { () -> Failure? in
                withUnsafeCurrentTask { $0?.cancel() }
                return await fixture.failure(strategy)
            }
            #expect(await task.value == .cancelled)
        }
    }

    @Test(
        "from cache, retrieval error course: the cache counts as empty, so the data is downloaded"
    )
    func cacheRetrieval() async throws {
        let fixture = fixture(latest: "new", saved: "old")
        fixture.cache.fail(.retrieval)
        #expect(try await fixture.loader.load(.cacheFirst).value == "new")
        #expect(fixture.cache.cached?.value == "new")
    }

    @Test("from cache, retrieval error course without a connection: a connectivity error")
    func cacheRetrievalOffline() async {
        let fixture = fixture(latest: nil, saved: "old")
        fixture.cache.fail(.retrieval)
        #expect(await fixture.failure(.cacheFirst) == LoadFixture<String>.offline)
    }

    @Test("from cache, empty course: the data is downloaded, or a connectivity error is delivered")
    func cacheEmpty() async throws {
        #expect(try await fixture(latest: "new").loader.load(.cacheFirst).value == "new")
        #expect(
            await fixture(latest: nil).failure(.cacheFirst) == LoadFixture<String>.offline
        )
        guard case .connectivity = await fixture(latest: "new").failure(.cacheOnly) else {
            Issue.record("no connectivity error")
            return
        }
    }

    @Test("from the server, primary course: the image data is delivered")
    func serverPrimary() async throws {
        let loaded = try await fixture(latest: "new").loader.load(.cacheFirst)
        #expect(loaded.value == "new" && loaded.provenance.source == .server)
    }

    @Test("from the server, cancel course: no data, no other error, and nothing is cached")
    func serverCancel() async {
        for latest in ["new", nil] {
            let fixture = fixture(latest: latest)
            fixture.server.beforeResponse { withUnsafeCurrentTask { $0?.cancel() } }
            let task = Task { await fixture.failure(.cacheFirst) }
            #expect(await task.value == .cancelled)
            #expect(fixture.cache.cached == nil)
        }
    }

    @Test("from the server, invalid data course: the error is delivered")
    func serverInvalid() async {
        let fixture = fixture(latest: nil)
        fixture.server.answer(.failure(.invalidData(reason: "no image")))
        #expect(await fixture.failure(.cacheFirst) == .invalidData(reason: "no image"))
    }

    @Test("from the server, no connectivity course: the error is delivered")
    func serverOffline() async {
        #expect(
            await fixture(latest: nil).failure(.cacheFirst) == LoadFixture<String>.offline
        )
    }

    @Test("cache image data, primary course: the loaded data is cached and never expires")
    func savePrimary() async throws {
        let fixture = fixture(latest: "new")
        let loaded = try await fixture.loader.load(.cacheFirst)
        #expect(fixture.cache.cached?.value == "new" && loaded.provenance.expiresAt == nil)
    }

    @Test("cache image data, saving error course: the error is delivered with the image data")
    func saveFails() async throws {
        let fixture = fixture(latest: "new")
        fixture.cache.fail(.insertion)
        let loaded = try await fixture.loader.load(.cacheFirst)
        #expect(
            loaded.value == "new"
                && loaded.provenance.cacheError == .cache(.insertion, reason: "set by the test")
        )
    }
}
