import Domain
import DomainTestSupport
import Testing

@Suite("What is kept, whoever asks")
struct KeptTests {
    private static let year: Int64 = 365 * 86_400

    @Test("it is given however old, and neither asks the remote nor deletes anything")
    func old() {
        let saved = [Samples.salon()]
        let bench = Bench(.salons, latest: [], saved: saved, ageSeconds: Self.year, emptyValue: [])
        #expect(bench.loader.cachedValue() == saved)
        #expect(bench.cache.messages == [.retrieve] && bench.cache.cached?.value == saved)
        #expect(bench.remote.calls == 0)
    }

    @Test("there is nothing where nothing was kept, or it cannot be read")
    func nothing() {
        let empty = Bench<[Salon]>(.salons, latest: [], emptyValue: [])
        #expect(empty.loader.cachedValue() == nil)
        let broken = Bench(.salons, latest: [], saved: [Samples.salon()], emptyValue: [])
        broken.cache.fail(.retrieval)
        #expect(broken.loader.cachedValue() == nil && broken.cache.cached != nil)
    }
}
