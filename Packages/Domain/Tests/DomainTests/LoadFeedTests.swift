import Domain
import DomainTestSupport
import Testing

/// The scenarios and use case courses of seeds 001 and 002 (see docs/Seeds.md) for the list of images.
/// LoadImageDataTests has those for the data of an image.
@Suite("Customer requests to see their image feed")
struct LoadFeedTests {
    private static let day: Int64 = 86_400
    private let courses = LoadCourses(
        policy: .feed,
        maximumAge: 7 * day,
        isExpiredCacheDeleted: false,
        isUnreadableCacheDeleted: false,
        latest: [Samples.feedImage(1), Samples.feedImage(2)],
        saved: [Samples.feedImage(9)]
    )

    @Test("with connectivity the latest feed from the server is displayed and replaces the cache")
    func latestFromServer() async throws { try await courses.latestFromServer() }

    @Test("offline with a cache less than 7 days old the cached feed is displayed")
    func offlineFresh() async throws { try await courses.offlineFresh() }

    @Test("load feed from the server, primary course: the downloaded feed is delivered")
    func serverPrimary() async throws { try await courses.serverPrimary() }

    @Test("load feed from the server, invalid data course: the error is delivered, never the cache")
    func serverInvalid() async { await courses.serverInvalid() }

    @Test("load feed from cache, primary course: a fresh feed is delivered without a request")
    func cachePrimary() async throws { try await courses.cachePrimary() }

    @Test("cache feed, primary course: the feed is timestamped and replaces the old one")
    func savePrimary() async throws { try await courses.savePrimary() }

    @Test("cache feed, deleting error course: nothing is deleted first, so no deletion can fail")
    func saveDeleting() async throws { try await courses.saveDeleting() }

    @Test("cache feed, saving error course: the error is delivered with the feed")
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

    @Test("offline with an empty cache an error is displayed")
    func offlineNothing() async {
        #expect(await courses.offlineEmpty().failure() == LoadFixture<[FeedImage]>.offline)
    }

    @Test("load feed from the server, no connectivity course: the connectivity error is delivered")
    func serverOffline() async {
        #expect(await courses.offlineEmpty().failure() == LoadFixture<[FeedImage]>.offline)
    }

    @Test("load feed from cache, empty course: a connectivity error is delivered")
    func cacheEmpty() async {
        guard case .connectivity = await courses.offlineEmpty().failure(.cacheOnly) else {
            Issue.record("no connectivity error")
            return
        }
    }

    @Test(
        "load feed from cache, retrieval error course: the error is delivered and nothing deleted"
    )
    func cacheRetrieval() async { await courses.cacheRetrieval() }

    @Test("load feed from cache, expired course: an error is delivered, and the cache stays")
    func cacheExpired() async { await courses.cacheExpired() }

    @Test("validate feed cache, primary course: a cache less than 7 days old is not deleted")
    func validateFresh() throws { try courses.validateFresh() }

    @Test("validate feed cache, retrieval error course: the cache is deleted")
    func validateUnreadable() throws { try courses.validateUnreadable() }

    @Test("validate feed cache, expired course: the cache is deleted")
    func validateExpired() throws { try courses.validateExpired() }
}
