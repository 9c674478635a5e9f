import Domain
import DomainTestSupport
import Testing

@Suite("A server that is reached but cannot serve requests")
struct ServerFaultLoadTests {
    private static let week: Int64 = 7 * 86_400
    private static let policies: [CachePolicy] = [.salons, .appointments, .feed, .movies, .menu]
    private let saved = [Samples.movie(9)]
    private let fault = Failure.unavailable(reason: "503", retryAfterSeconds: 7)

    private func fixture(
        _ policy: CachePolicy,
        ageSeconds: Int64? = nil,
        fails error: Failure
    ) -> LoadFixture<[Movie]> {
        let fixture = LoadFixture(
            policy,
            latest: [Samples.movie(1)],
            saved: ageSeconds == nil ? nil : saved,
            ageSeconds: ageSeconds ?? 0,
            emptyValue: []
        )
        fixture.server.answer(.failure(error))
        return fixture
    }

    @Test("a fresh cached value is returned with the reason", arguments: policies, [0, week - 1])
    func fresh(policy: CachePolicy, ageSeconds: Int64) async throws {
        let fixture = fixture(policy, ageSeconds: ageSeconds, fails: fault)
        let loaded = try await fixture.loader.load()
        #expect(loaded.value == saved && loaded.provenance.source == .cache)
        #expect(loaded.provenance.serverError == fault && loaded.provenance.warning == nil)
        #expect(loaded.provenance.ageSeconds == ageSeconds)
    }

    @Test(
        "an expired cache is an error, and is not deleted",
        arguments: [.salons, .feed, .movies, .menu] as [CachePolicy],
        [2 * week, -61]
    )
    func expired(policy: CachePolicy, ageSeconds: Int64) async {
        let fixture = fixture(policy, ageSeconds: ageSeconds, fails: fault)
        #expect(await fixture.failure() == fault)
        #expect(fixture.cache.cached?.value == saved)
    }

    @Test("an empty cache is an error, never an empty list", arguments: policies)
    func empty(policy: CachePolicy) async {
        #expect(await fixture(policy, fails: fault).failure() == fault)
    }

    @Test(
        "with an unreadable cache the server's error is thrown, and nothing is deleted",
        arguments: policies
    )
    func unreadable(policy: CachePolicy) async {
        let fixture = fixture(policy, ageSeconds: 5, fails: fault)
        fixture.cache.fail(.retrieval)
        #expect(await fixture.failure() == fault)
        #expect(fixture.cache.cached != nil)
    }

    @Test(
        "rejected credentials are an error even with a fresh cache, which is not read",
        arguments: [
            Failure.notAuthenticated(reason: "401"), .notAllowed(reason: "403"),
        ]
    )
    func credentials(error: Failure) async {
        let fixture = fixture(.appointments, ageSeconds: 5, fails: error)
        #expect(await fixture.failure() == error)
        #expect(fixture.cache.messages.isEmpty)
    }

    @Test("without a connection an empty list has a warning that explains why it is empty")
    func warning() async throws {
        let offline = LoadFixture<[Movie]>.offline
        let offlineLoad = try await fixture(.movies, fails: offline).loader.load()
        #expect(offlineLoad.value.isEmpty && offlineLoad.provenance.serverError == offline)
        let warning = offlineLoad.provenance.warning
        #expect(warning?.contains("the server could not be reached and nothing is cached") == true)
        let cacheOnly = try await fixture(.movies, fails: offline).loader.load(.cacheOnly)
        let reason = cacheOnly.provenance.warning
        #expect(reason?.contains("no request was sent and nothing is cached") == true)
        let expired = fixture(.salons, ageSeconds: 2 * Self.week, fails: offline)
        let emptied = try await expired.loader.load()
        #expect(emptied.provenance.warning?.contains("has expired") == true)
        #expect(expired.cache.cached == nil)
    }
}
