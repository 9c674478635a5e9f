import Domain
import DomainTestSupport
import Synchronization
import Testing

@Suite("A load of a value that follows the changes at its server")
struct FollowedLoadTests {
    /// A follower that finds what a test specifies.
    private final class Follower: FeedFollower {
        private let found: FollowedChanges
        private let failures = Mutex<[FeedFailure]>([])

        init(_ found: FollowedChanges) { self.found = found }

        /// The failures after which the feed is left alone.
        var avoided: [FeedFailure] { failures.withLock(\.self) }

        var state: FollowerState { .unsupported() }

        func follow(
            waiting wait: Duration,
            if isFresh: (Timestamp) -> Bool
        ) async throws(CancellationError) -> FollowedChanges {
            found
        }

        func avoidFeed(after failure: FeedFailure) { failures.withLock { $0.append(failure) } }
    }

    private let clock = ManualClock()
    private let server = ResourceAPIStub<[Salon]>(.success([Samples.salon(1)]))

    private func loader(
        _ follower: Follower,
        _ cache: CacheSpy<[Salon]>
    ) -> ResourceLoader<[Salon]> {
        ResourceLoader(
            policy: .salons,
            server: server,
            cache: cache,
            clock: clock,
            emptyValue: [],
            follower: follower
        )
    }

    private func cached(
        ageSeconds: Int64,
        isComplete: Bool = true
    ) -> CacheSpy<[Salon]> {
        let fetchedAt = clock.now.advanced(bySeconds: -ageSeconds)
        return CacheSpy(
            CachedValue(value: [Samples.salon(9)], fetchedAt: fetchedAt, isComplete: isComplete)
        )
    }

    @Test("a value that is up to date is as fresh as a loaded one", arguments: [0, 60, -86_400])
    func age(seconds: Int64) async throws {
        let loaded = try await loader(Follower(.none), cached(ageSeconds: seconds)).load()
        #expect(loaded.value == [Samples.salon(9)] && loaded.provenance.source == .revalidated)
        #expect(loaded.provenance.fetchedAt == clock.now && loaded.provenance.ageSeconds == 0)
        #expect(server.calls == 0)
    }

    @Test("an incomplete value does not answer, whatever has changed")
    func incomplete() async throws {
        let cache = cached(ageSeconds: 0, isComplete: false)
        let loaded = try await loader(Follower(.some), cache).load()
        #expect(loaded.value == [Samples.salon(1)] && loaded.provenance.source == .server)
    }

    @Test("the feed is left alone if it does not work, although the server does")
    func failed() async throws {
        for failure in [FeedFailure.unsupported, .noAnswer(retryAfterSeconds: 7)] {
            let follower = Follower(.failed(failure))
            let loaded = try await loader(follower, cached(ageSeconds: 0)).load()
            #expect(loaded.value == [Samples.salon(1)])
            #expect(follower.avoided == [failure])
        }
    }

    @Test("the feed is not left alone if the server does not work either, or has an older history")
    func serverFailed() async throws {
        let follower = Follower(.failed(.noAnswer()))
        server.answer(.failure(.connectivity(reason: "unplugged")))
        let loaded = try await loader(follower, cached(ageSeconds: 60)).load()
        #expect(loaded.provenance.source == .cache && follower.avoided.isEmpty)
        let other = Follower(.unknown)
        server.answer(.success([Samples.salon(1)]))
        _ = try await loader(other, cached(ageSeconds: 60)).load()
        #expect(other.avoided.isEmpty && server.calls == 2)
    }

    @Test("the time of its own request is that of a loaded or confirmed value")
    func loadedAt() async throws {
        let cache = cached(ageSeconds: 100)
        _ = try await loader(Follower(.unknown), cache).load()
        #expect(cache.cached?.loadedAt == clock.now)
        server.version("v1")
        _ = try await loader(Follower(.unknown), cache).load()
        clock.advance(bySeconds: 100)
        let loaded = try await loader(Follower(.unknown), cache).load()
        #expect(loaded.provenance.source == .revalidated)
        #expect(cache.cached?.loadedAt == clock.now)
    }
}
