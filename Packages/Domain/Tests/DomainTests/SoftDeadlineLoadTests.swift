import Domain
import DomainTestSupport
import Synchronization
import Testing

@Suite(
    "A load with a soft deadline",
    .timeLimit(.minutes(10))
)
struct SoftDeadlineLoadTests {
    @TaskLocal private static var mark = "none"
    private let latest = [Samples.movie(1)]
    private let saved = [Samples.movie(9)]
    /// Each element lets the server send one response.
    private let answers = AsyncStream.makeStream(of: Void.self)

    private func fixture(
        ageSeconds: Int64 = 60,
        deadline: Duration = .seconds(2),
        hasCache: Bool = true
    ) -> LoadFixture<[Movie]> {
        let fixture = LoadFixture(
            .movies,
            latest: latest,
            saved: hasCache ? saved : nil,
            ageSeconds: ageSeconds,
            emptyValue: [],
            softDeadline: deadline
        )
        fixture.server.beforeResponse { [stream = answers.stream] in
            for await _ in stream { break }
        }
        return fixture
    }

    private func passDeadline(of fixture: LoadFixture<[Movie]>) async {
        await fixture.pauses.wait()
        fixture.pauses.endAll()
    }

    /// Waits until the cache contains `value`. The suite's time limit bounds the wait.
    private func wait(for value: [Movie], in cache: CacheSpy<[Movie]>) async {
        while cache.cached?.value != value { await Task.yield() }
    }

    @Test("a fresh cached value is returned with a warning, and the late response is cached")
    func late() async throws {
        let fixture = fixture()
        async let load = fixture.loader.load()
        await passDeadline(of: fixture)
        let loaded = try await load
        #expect(loaded.value == saved && loaded.provenance.source == .cache)
        #expect(loaded.provenance.warning?.contains("did not respond within 2 s") == true)
        #expect(loaded.provenance.serverError == nil && fixture.pauses.requested == [.seconds(2)])
        #expect(fixture.cache.cached?.value == saved)
        answers.continuation.yield()
        await wait(for: latest, in: fixture.cache)
        #expect(fixture.server.calls == 1)
    }

    @Test("a response in time is returned, and the pause ends")
    func inTime() async throws {
        let fixture = fixture()
        answers.continuation.yield()
        let loaded = try await fixture.loader.load()
        #expect(loaded.value == latest && loaded.provenance.warning == nil)
        while fixture.pauses.pendingCount > 0 { await Task.yield() }
    }

    @Test("without a fresh cached value the load waits for the server", arguments: [true, false])
    func nothingFresh(hasCache: Bool) async throws {
        let fixture = fixture(ageSeconds: 30 * 86_400, hasCache: hasCache)
        async let load = fixture.loader.load()
        await passDeadline(of: fixture)
        answers.continuation.yield()
        #expect(try await load.value == latest)
    }

    @Test("a duration of zero means no deadline")
    func off() async throws {
        let fixture = fixture(deadline: .zero)
        answers.continuation.yield()
        #expect(try await fixture.loader.load().value == latest)
        #expect(fixture.pauses.requested.isEmpty)
    }

    @Test("a late response to a request from before a change is not cached")
    func superseded() async throws {
        let fixture = fixture()
        let stored = Mutex(0)
        fixture.cache.beforeReplace { stored.withLock { $0 += 1 } }
        async let load = fixture.loader.load()
        await passDeadline(of: fixture)
        _ = try await load
        fixture.changes.advance()
        answers.continuation.yield()
        while stored.withLock(\.self) == 0 { await Task.yield() }
        #expect(fixture.cache.cached?.value == saved)
    }

    @Test("cancelling before the deadline cancels the request, and caches nothing")
    func cancelled() async {
        let fixture = fixture()
        let loader = fixture.loader
        let load = Task { () -> Failure? in
            do throws(Failure) { _ = try await loader.load() } catch { return error }
            return nil
        }
        await fixture.pauses.wait()
        load.cancel()
        #expect(await load.value == .cancelled)
        #expect(fixture.cache.messages.isEmpty && fixture.pauses.pendingCount == 0)
    }

    @Test("cancelling after the cached value was returned does not cancel the request")
    func cancelledLater() async throws {
        let fixture = fixture()
        let loader = fixture.loader
        let load = Task { try await loader.load() }
        await passDeadline(of: fixture)
        #expect(try await load.value.value == saved)
        load.cancel()
        answers.continuation.yield()
        await wait(for: latest, in: fixture.cache)
    }

    @Test("the request has its caller's task-local values, even after the caller has returned")
    func taskLocals() async throws {
        let fixture = fixture()
        let seen = Mutex<[String]>([])
        fixture.server.beforeResponse { [stream = answers.stream] in
            for await _ in stream { break }
            seen.withLock { $0.append(Self.mark) }
        }
        let load = Self.$mark.withValue("dry run") {
            Task { [loader = fixture.loader] in try await loader.load() }
        }
        await passDeadline(of: fixture)
        _ = try await load.value
        answers.continuation.yield()
        await wait(for: latest, in: fixture.cache)
        #expect(seen.withLock(\.self) == ["dry run"])
    }

    @Test("an error before the deadline is reported with the cached value; a later one is ignored")
    func fault() async throws {
        let fixture = fixture()
        fixture.server.answer(.failure(.unavailable(reason: "503")))
        answers.continuation.yield()
        let loaded = try await fixture.loader.load()
        #expect(loaded.provenance.serverError == .unavailable(reason: "503"))
        #expect(loaded.provenance.warning == nil && fixture.cache.cached?.value == saved)
    }
}
