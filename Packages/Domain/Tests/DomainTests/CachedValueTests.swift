import Domain
import DomainTestSupport
import Testing

@Suite("The cached value, without a load")
struct CachedValueTests {
    private static let year: Int64 = 365 * 86_400

    @Test("is returned even if it has expired, without a request or a deletion")
    func old() {
        let saved = [Samples.salon()]
        let fixture = LoadFixture(
            .salons,
            latest: [],
            saved: saved,
            ageSeconds: Self.year,
            emptyValue: []
        )
        #expect(fixture.loader.cachedValue() == saved)
        #expect(fixture.cache.messages == [.retrieve] && fixture.cache.cached?.value == saved)
        #expect(fixture.server.calls == 0)
    }

    @Test("is nil if nothing is cached, or it cannot be read")
    func nothing() {
        let empty = LoadFixture<[Salon]>(.salons, latest: [], emptyValue: [])
        #expect(empty.loader.cachedValue() == nil)
        let broken = LoadFixture(.salons, latest: [], saved: [Samples.salon()], emptyValue: [])
        broken.cache.fail(.retrieval)
        #expect(broken.loader.cachedValue() == nil && broken.cache.cached != nil)
    }
}
