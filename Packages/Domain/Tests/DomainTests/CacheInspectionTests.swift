import Domain
import DomainTestSupport
import Testing

@Suite("Inspecting a cache")
struct CacheInspectionTests {
    private static let week: Int64 = 7 * 86_400
    private let clock = ManualClock()

    private func inspect(_ cache: CacheSpy<[Salon]>) throws -> CacheInspection<[Salon]>? {
        try ResourceLoader(
            policy: .salons,
            server: ResourceAPIStub<[Salon]>(.failure(.notConfigured)),
            cache: cache,
            clock: clock,
            emptyValue: []
        ).inspectCache()
    }

    private func cached(ageSeconds: Int64) -> CacheSpy<[Salon]> {
        let fetchedAt = clock.now.advanced(bySeconds: -ageSeconds)
        return CacheSpy(CachedValue(value: [Samples.salon()], fetchedAt: fetchedAt))
    }

    @Test(
        "reports the age and whether the value is fresh, and changes nothing",
        arguments: [(week - 1, true), (week, false), (-60, true), (-61, false)]
    )
    func age(seconds: Int64, isFresh: Bool) throws {
        let cache = cached(ageSeconds: seconds)
        let found = try #require(try inspect(cache))
        #expect(found.isFresh == isFresh && found.ageSeconds == max(0, seconds))
        #expect(found.expiresAt == clock.now.advanced(bySeconds: Self.week - seconds))
        #expect(cache.messages == [.retrieve] && cache.cached != nil)
    }

    @Test("returns nil for an empty cache and throws for an unreadable one")
    func nothing() throws {
        #expect(try inspect(CacheSpy()) == nil)
        let cache = cached(ageSeconds: 0)
        cache.fail(.retrieval)
        #expect(throws: Failure.self) { try inspect(cache) }
        #expect(cache.cached != nil)
    }
}
