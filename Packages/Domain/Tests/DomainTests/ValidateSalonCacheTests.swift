import Domain
import DomainTestSupport
import Testing

/// The courses of the use case "Validate Salon Cache" of seed 000.
@Suite("Validate salon cache")
struct ValidateSalonCacheTests {
    private static let week: Int64 = 7 * 86_400
    private let clock = ManualClock()

    private func validate(_ cache: CacheSpy<[Salon]>) throws -> CacheValidation {
        let server = ResourceAPIStub<[Salon]>(.failure(.notConfigured))
        return try ResourceLoader(
            policy: .salons,
            server: server,
            cache: cache,
            clock: clock,
            emptyValue: []
        ).validateCache()
    }

    private func cached(ageSeconds: Int64) -> CacheSpy<[Salon]> {
        let fetchedAt = clock.now.advanced(bySeconds: -ageSeconds)
        return CacheSpy(CachedValue(value: [Samples.salon()], fetchedAt: fetchedAt))
    }

    @Test(
        "primary course: a cache less than seven days old is not deleted",
        arguments: [0, week - 1, -60]
    )
    func valid(ageSeconds: Int64) throws {
        let cache = cached(ageSeconds: ageSeconds)
        #expect(try validate(cache) == .valid)
        #expect(cache.cached != nil)
    }

    @Test("retrieval error course: the cache is deleted")
    func unreadable() throws {
        let cache = cached(ageSeconds: 0)
        cache.fail(.retrieval)
        #expect(try validate(cache) == .deletedUnreadable)
        #expect(cache.cached == nil)
    }

    @Test("expired course: the cache is deleted", arguments: [week, week + 1])
    func expired(ageSeconds: Int64) throws {
        let cache = cached(ageSeconds: ageSeconds)
        #expect(try validate(cache) == .deletedExpired)
        #expect(cache.cached == nil)
    }

    @Test("a cache from the future is not deleted", arguments: [-61, -week, -.max] as [Int64])
    func fromFuture(ageSeconds: Int64) throws {
        let cache = cached(ageSeconds: ageSeconds)
        #expect(try validate(cache) == .fromFuture)
        #expect(cache.messages == [.retrieve])
    }

    @Test("an empty cache stays empty")
    func empty() throws {
        let cache = CacheSpy<[Salon]>()
        #expect(try validate(cache) == .empty)
        #expect(cache.messages == [.retrieve])
    }

    @Test("a failed deletion is an error")
    func deletionFails() {
        let cache = cached(ageSeconds: Self.week)
        cache.fail(.deletion)
        #expect(throws: Failure.self) { try validate(cache) }
    }
}
