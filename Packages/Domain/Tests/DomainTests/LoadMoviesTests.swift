import Domain
import DomainTestSupport
import Testing

/// The narratives and courses of seed 003.
@Suite("User requests to see upcoming movies")
struct LoadMoviesTests {
    private static let day: Int64 = 86_400
    private let courses = LoadCourses(
        policy: .movies,
        maximumAge: 7 * day,
        isExpiredCacheDeleted: true,
        isUnreadableCacheDeleted: true,
        latest: [Samples.movie(1), Samples.movie(2)],
        saved: [Samples.movie(9)]
    )

    @Test("with connectivity the latest movies from the server are displayed and replace the cache")
    func latestFromServer() async throws { try await courses.latestFromServer() }

    @Test("offline with a cache less than 7 days old the cached movies are displayed")
    func offlineFresh() async throws { try await courses.offlineFresh() }

    @Test("load movies from the server, primary course: the downloaded movies are delivered")
    func serverPrimary() async throws { try await courses.serverPrimary() }

    @Test("load movies from the server, invalid data course: the error is delivered")
    func serverInvalid() async { await courses.serverInvalid() }

    @Test("load movies from cache, primary course: fresh movies are delivered without a request")
    func cachePrimary() async throws { try await courses.cachePrimary() }

    @Test("cache movies, primary course: the movies are timestamped and replace the old ones")
    func savePrimary() async throws { try await courses.savePrimary() }

    @Test("cache movies, deleting error course: nothing is deleted first, so no deletion can fail")
    func saveDeleting() async throws { try await courses.saveDeleting() }

    @Test("cache movies, saving error course: the error is delivered with the movies")
    func saveFails() async throws { try await courses.saveFails() }

    @Test(
        "offline with a cache seven days old or more an error is displayed",
        arguments: [7 * day, 7 * day + 1]
    )
    func offlineExpired(ageSeconds: Int64) async {
        await courses.offlineExpired(ageSeconds: ageSeconds)
    }

    @Test("offline with a cache from the future an error is displayed, and nothing is deleted")
    func offlineFromFuture() async { await courses.offlineFromFuture() }

    @Test("load movies from cache, empty course: no movies are delivered")
    func cacheEmpty() async throws {
        #expect(try await courses.offlineEmpty().loader.load(.cacheOnly).value.isEmpty)
        let loaded = try await courses.offlineEmpty().loader.load()
        #expect(loaded.value.isEmpty && loaded.provenance.source == .none)
    }

    @Test("load movies from the server, no connectivity course: the error comes with cached movies")
    func serverOffline() async throws {
        let loaded = try await courses.offlineEmpty().loader.load()
        #expect(loaded.provenance.serverError == LoadFixture<[Movie]>.offline)
    }

    @Test(
        "load movies from cache, retrieval error course: the error is delivered, the cache deleted"
    )
    func cacheRetrieval() async { await courses.cacheRetrieval() }

    @Test("load movies from cache, expired course: an error is delivered, and the cache is deleted")
    func cacheExpired() async { await courses.cacheExpired() }

    @Test("validate movies cache, primary course: a cache less than 7 days old is not deleted")
    func validateFresh() throws { try courses.validateFresh() }

    @Test("validate movies cache, retrieval error course: the cache is deleted")
    func validateUnreadable() throws { try courses.validateUnreadable() }

    @Test("validate movies cache, expired course: the cache is deleted")
    func validateExpired() throws { try courses.validateExpired() }
}
