import Domain
import DomainTestSupport
import Testing

@Suite("A list that a change supersedes while it is on its way")
struct SupersededLoadTests {
    private let latest = [Samples.appointment(1)]
    private let saved = [Samples.appointment(9)]

    private func bench() -> Bench<[Appointment]> {
        Bench(.appointments, latest: latest, saved: saved, ageSeconds: 60, emptyValue: [])
    }

    @Test("is returned with a warning, and does not replace the cache")
    func duringRequest() async throws {
        let bench = bench()
        bench.remote.beforeAnswer { [changes = bench.changes] in changes.advance() }
        let loaded = try await bench.loader.load()
        #expect(loaded.value == latest && loaded.provenance.source == .remote)
        #expect(loaded.provenance.warning?.contains("not cached") == true)
        #expect(loaded.provenance.cacheError == nil && bench.cache.cached?.value == saved)
    }

    @Test("does not replace the cache if the change comes right before the save")
    func beforeSave() async throws {
        let bench = bench()
        bench.cache.beforeReplace { [changes = bench.changes] in changes.advance() }
        #expect(try await bench.loader.load().provenance.warning != nil)
        #expect(bench.cache.cached?.value == saved)
    }

    @Test("does not become younger either, if the server says that it is unchanged")
    func unchanged() async throws {
        let bench = bench()
        bench.remote.version("v1")
        let fetchedAt = bench.clock.now.advanced(bySeconds: -60)
        let cached = CachedValue(value: saved, fetchedAt: fetchedAt, validators: "v1")
        try bench.cache.replace(with: cached)
        bench.remote.beforeAnswer { [changes = bench.changes] in changes.advance() }
        let loaded = try await bench.loader.load()
        #expect(loaded.provenance.source == .revalidated && loaded.provenance.warning != nil)
        #expect(bench.cache.cached == cached)
    }

    @Test("is cached once it was requested after the change")
    func afterwards() async throws {
        let bench = bench()
        bench.changes.advance()
        let loaded = try await bench.loader.load()
        #expect(loaded.provenance.warning == nil && bench.cache.cached?.value == latest)
    }

    @Test("is not cached by a revalidation either")
    func revalidation() async {
        let bench = bench()
        bench.remote.beforeAnswer { [changes = bench.changes] in changes.advance() }
        await bench.loader.revalidate()
        #expect(bench.cache.cached?.value == saved)
    }
}
