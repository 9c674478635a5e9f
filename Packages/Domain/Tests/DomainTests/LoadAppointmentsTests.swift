import Domain
import DomainTestSupport
import Testing

/// The scenarios and courses of seed 000, story 3.
@Suite("Customer requests to see booked appointments")
struct LoadAppointmentsTests {
    private let clock = ManualClock()
    private let server = ResourceAPIStub<[Appointment]>(.success([Samples.appointment(1)]))
    private let offline = Failure.connectivity(reason: "unplugged")

    private func loader(_ cache: CacheSpy<[Appointment]>) -> ResourceLoader<[Appointment]> {
        ResourceLoader(
            policy: .appointments,
            server: server,
            cache: cache,
            clock: clock,
            emptyValue: []
        )
    }

    private func cached(ageSeconds: Int64 = 60) -> CacheSpy<[Appointment]> {
        let fetchedAt = clock.now.advanced(bySeconds: -ageSeconds)
        return CacheSpy(CachedValue(value: [Samples.appointment(9)], fetchedAt: fetchedAt))
    }

    @Test("with connectivity the server's appointments are shown and replace the cache")
    func online() async throws {
        let cache = cached()
        let loaded = try await loader(cache).load()
        #expect(loaded.value == [Samples.appointment(1)])
        #expect(loaded.provenance.expiresAt == nil)
        #expect(cache.cached?.value == loaded.value)
    }

    @Test(
        "offline the cached appointments are shown, regardless of their age",
        arguments: [0, 7 * 86_400, 3_650 * 86_400, -60] as [Int64]
    )
    func offlineCached(ageSeconds: Int64) async throws {
        server.answer(.failure(offline))
        let cache = cached(ageSeconds: ageSeconds)
        let loaded = try await loader(cache).load()
        #expect(loaded.value == [Samples.appointment(9)])
        #expect(loaded.provenance.source == .cache)
        #expect((loaded.provenance.ageSeconds ?? -1) >= 0)
        #expect(cache.messages == [.retrieve])
    }

    @Test(
        "offline cached appointments from the future are shown with a warning instead of an age",
        arguments: [LoadStrategy.serverFirst, .cacheOnly, .cacheFirst]
    )
    func fromFuture(strategy: LoadStrategy) async throws {
        server.answer(.failure(offline))
        let cache = cached(ageSeconds: -61)
        let loaded = try await loader(cache).load(strategy)
        #expect(loaded.value == [Samples.appointment(9)])
        #expect(loaded.provenance.ageSeconds == nil)
        #expect(loaded.provenance.warning?.contains("from the future") == true)
        #expect(try loader(cache).validateCache() == .valid && cache.cached != nil)
    }

    @Test("a cached list with gaps says so, and does not spare the request for the whole list")
    func incomplete() async throws {
        let cache = CacheSpy(
            CachedValue(value: [Samples.appointment(9)], fetchedAt: clock.now, isComplete: false)
        )
        server.answer(.failure(offline))
        for strategy in [LoadStrategy.serverFirst, .cacheOnly, .cacheFirst] {
            let loaded = try await loader(cache).load(strategy)
            #expect(loaded.value.count == 1 && !loaded.provenance.isComplete)
        }
        for strategy in [LoadStrategy.cacheFirst, .staleWhileRevalidate] {
            let gaps = CachedValue(value: [Appointment](), fetchedAt: clock.now, isComplete: false)
            try cache.replace(with: gaps)
            server.answer(.success([Samples.appointment(1)]))
            let loaded = try await loader(cache).load(strategy)
            #expect(loaded.provenance.source == .server && loaded.provenance.isComplete)
        }
        #expect(cache.cached?.isComplete == true)
    }

    @Test("only the server can deliver a list that must be current, and it replaces the cache")
    func serverOnly() async throws {
        let cache = cached()
        let loaded = try await loader(cache).load(.serverOnly)
        #expect(loaded.provenance.source == .server && cache.cached?.value == loaded.value)
        for error in [offline, .unavailable(reason: "slow"), .notAllowed(reason: "403")] {
            server.answer(.failure(error))
            await #expect(throws: error) {
                try await loader(cache).load(.serverOnly)
            }
        }
        #expect(cache.cached?.value == loaded.value)
    }

    @Test("offline with an empty cache shows an empty list")
    func offlineEmpty() async throws {
        server.answer(.failure(offline))
        #expect(try await loader(CacheSpy()).load().value.isEmpty)
    }

    @Test("load from the server, primary course: the appointments are delivered")
    func serverPrimaryCourse() async throws {
        #expect(try await loader(CacheSpy()).load().provenance.source == .server)
    }

    @Test("load from the server, invalid data course: the error is delivered")
    func serverInvalidData() async {
        server.answer(.failure(.invalidData(reason: "not JSON")))
        await #expect(throws: Failure.invalidData(reason: "not JSON")) {
            try await loader(cached()).load()
        }
    }

    @Test("load from the server, no connectivity course: the cached appointments are delivered")
    func serverNoConnectivity() async throws {
        server.answer(.failure(offline))
        #expect(try await loader(cached()).load().provenance.serverError == offline)
    }

    @Test("load from cache, primary course: the cached appointments are delivered")
    func cachePrimaryCourse() async throws {
        #expect(try await loader(cached()).load(.cacheOnly).value == [Samples.appointment(9)])
    }

    @Test("load from cache, retrieval error course: the error is delivered")
    func cacheRetrievalError() async {
        let cache = cached()
        cache.fail(.retrieval)
        await #expect(throws: Failure.self) { try await loader(cache).load(.cacheOnly) }
    }

    @Test("load from cache, empty course: no appointments are delivered")
    func cacheEmpty() async throws {
        #expect(try await loader(CacheSpy()).load(.cacheOnly).value.isEmpty)
    }

    @Test("cache appointments, primary course: the loaded appointments are cached")
    func cachePrimary() async throws {
        let cache = CacheSpy<[Appointment]>()
        _ = try await loader(cache).load()
        #expect(cache.cached?.value == [Samples.appointment(1)])
    }

    @Test("cache appointments, deleting and saving error courses: reported with the appointments")
    func cacheErrors() async throws {
        let cache = cached()
        cache.fail(.deletion)
        cache.fail(.insertion)
        let loaded = try await loader(cache).load()
        #expect(loaded.value == [Samples.appointment(1)])
        #expect(loaded.provenance.cacheError == .cache(.insertion, reason: "set by the test"))
        #expect(cache.cached?.value == [Samples.appointment(9)])
    }

    @Test("validation deletes an unreadable cache, but never an old one")
    func validation() throws {
        #expect(try loader(cached(ageSeconds: 86_400 * 9_999)).validateCache() == .valid)
        let damaged = cached()
        damaged.fail(.retrieval)
        #expect(try loader(damaged).validateCache() == .deletedUnreadable)
    }
}
