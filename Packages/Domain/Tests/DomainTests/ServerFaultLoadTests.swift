import Domain
import DomainTestSupport
import Testing

@Suite("A server that is reached and cannot serve")
struct ServerFaultLoadTests {
    private static let week: Int64 = 7 * 86_400
    private static let policies: [CachePolicy] = [.salons, .appointments, .feed, .movies, .menu]
    private let saved = [Samples.movie(9)]
    private let fault = RemoteError.unavailable(reason: "503", retryAfterSeconds: 7)

    private func bench(
        _ policy: CachePolicy,
        ageSeconds: Int64? = nil,
        fails error: RemoteError
    ) -> Bench<[Movie]> {
        let bench = Bench(
            policy,
            latest: [Samples.movie(1)],
            saved: ageSeconds == nil ? nil : saved,
            ageSeconds: ageSeconds ?? 0,
            emptyValue: []
        )
        bench.remote.answer(.failure(error))
        return bench
    }

    @Test("a fresh cache stands in, with the reason", arguments: policies, [0, week - 1])
    func fresh(policy: CachePolicy, ageSeconds: Int64) async throws {
        let bench = bench(policy, ageSeconds: ageSeconds, fails: fault)
        let loaded = try await bench.loader.load()
        #expect(loaded.value == saved && loaded.provenance.source == .cache)
        #expect(loaded.provenance.remoteError == fault && loaded.provenance.warning == nil)
        #expect(loaded.provenance.ageSeconds == ageSeconds)
    }

    @Test(
        "an expired cache is an error, and is not deleted",
        arguments: [.salons, .feed, .movies, .menu] as [CachePolicy],
        [2 * week, -1]
    )
    func expired(policy: CachePolicy, ageSeconds: Int64) async {
        let bench = bench(policy, ageSeconds: ageSeconds, fails: fault)
        #expect(await bench.failure() == .remote(fault))
        #expect(bench.cache.cached?.value == saved)
    }

    @Test("an empty cache is an error, never an empty list", arguments: policies)
    func empty(policy: CachePolicy) async {
        #expect(await bench(policy, fails: fault).failure() == .remote(fault))
    }

    @Test("an unreadable cache is the server's error, and is not deleted", arguments: policies)
    func unreadable(policy: CachePolicy) async {
        let bench = bench(policy, ageSeconds: 5, fails: fault)
        bench.cache.fail(.retrieval)
        #expect(await bench.failure() == .remote(fault))
        #expect(bench.cache.cached != nil)
    }

    @Test(
        "rejected credentials are an error even with a fresh cache, which is not read",
        arguments: [
            RemoteError.notAuthenticated(reason: "401"), .notAllowed(reason: "403"),
        ]
    )
    func credentials(error: RemoteError) async {
        let bench = bench(.appointments, ageSeconds: 5, fails: error)
        #expect(await bench.failure() == .remote(error))
        #expect(bench.cache.messages.isEmpty)
    }

    @Test("without a connection an empty list says that it is empty only because of that")
    func warning() async throws {
        let offline = Bench<[Movie]>.offline
        let asked = try await bench(.movies, fails: offline).loader.load()
        #expect(asked.value.isEmpty && asked.provenance.remoteError == offline)
        #expect(asked.provenance.warning?.contains("no server could be reached") == true)
        let unasked = try await bench(.movies, fails: offline).loader.load(.cacheOnly)
        #expect(unasked.provenance.warning?.contains("not asked and nothing is cached") == true)
        let expired = bench(.salons, ageSeconds: 2 * Self.week, fails: offline)
        let emptied = try await expired.loader.load()
        #expect(emptied.provenance.warning?.contains("has expired") == true)
        #expect(expired.cache.cached == nil)
    }
}
