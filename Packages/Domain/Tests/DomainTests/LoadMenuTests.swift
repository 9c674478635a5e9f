import Domain
import DomainTestSupport
import Testing

/// The scenarios and use case courses of seed 004 (see docs/Seeds.md) for the menu.
/// LoadImageDataTests has those for the data of an image.
@Suite("Customer requests to see the menu")
struct LoadMenuTests {
    private static let day: Int64 = 86_400
    private let courses = LoadCourses(
        policy: .menu,
        maximumAge: 14 * day,
        isExpiredCacheDeleted: true,
        isUnreadableCacheDeleted: false,
        latest: [Samples.menuItem(1), Samples.menuItem(2)],
        saved: [Samples.menuItem(9)]
    )

    @Test("with connectivity the latest menu from the server is displayed and replaces the cache")
    func latestFromServer() async throws { try await courses.latestFromServer() }

    @Test("offline with a cache less than 14 days old the cached menu is displayed")
    func offlineFresh() async throws { try await courses.offlineFresh() }

    @Test("load menu from the server, primary course: the downloaded menu is delivered")
    func serverPrimary() async throws { try await courses.serverPrimary() }

    @Test("load menu from the server, invalid data course: the error is delivered, never the cache")
    func serverInvalid() async { await courses.serverInvalid() }

    @Test("load menu from cache, primary course: a fresh menu is delivered without a request")
    func cachePrimary() async throws { try await courses.cachePrimary() }

    @Test("cache menu, primary course: the menu is timestamped and replaces the old one")
    func savePrimary() async throws { try await courses.savePrimary() }

    @Test("cache menu, deleting error course: nothing is deleted first, so no deletion can fail")
    func saveDeleting() async throws { try await courses.saveDeleting() }

    @Test("cache menu, saving error course: the error is delivered with the menu")
    func saveFails() async throws { try await courses.saveFails() }

    @Test(
        "offline with a cache two weeks old or more an error is displayed",
        arguments: [14 * day, 14 * day + 1]
    )
    func offlineExpired(ageSeconds: Int64) async {
        await courses.offlineExpired(ageSeconds: ageSeconds)
    }

    @Test("offline with a cache from the future an error is displayed, and nothing is deleted")
    func offlineFromFuture() async { await courses.offlineFromFuture() }

    @Test("offline with an empty cache an error is displayed")
    func offlineNothing() async {
        #expect(await courses.offlineEmpty().failure() == LoadFixture<[MenuItem]>.offline)
    }

    @Test("load menu from the server, no connectivity course: the connectivity error is delivered")
    func serverOffline() async {
        #expect(await courses.offlineEmpty().failure() == LoadFixture<[MenuItem]>.offline)
    }

    @Test("load menu from cache, empty course: a connectivity error is delivered")
    func cacheEmpty() async {
        guard case .connectivity = await courses.offlineEmpty().failure(.cacheOnly) else {
            Issue.record("no connectivity error")
            return
        }
    }

    @Test(
        "load menu from cache, retrieval error course: the error is delivered and nothing deleted"
    )
    func cacheRetrieval() async { await courses.cacheRetrieval() }

    @Test("load menu from cache, expired course: an error is delivered, and the cache is deleted")
    func cacheExpired() async { await courses.cacheExpired() }

    @Test("validate menu cache, primary course: a cache less than 14 days old is not deleted")
    func validateFresh() throws { try courses.validateFresh() }

    @Test("validate menu cache, retrieval error course: the cache is deleted")
    func validateUnreadable() throws { try courses.validateUnreadable() }

    @Test("validate menu cache, expired course: the cache is deleted")
    func validateExpired() throws { try courses.validateExpired() }
}
