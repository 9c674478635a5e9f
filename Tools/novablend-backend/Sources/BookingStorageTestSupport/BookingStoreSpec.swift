public import BookingStorage
public import Domain

/// A requirement that every booking store must meet. To test an implementation, check all
/// requirements, each with a new database.
public struct BookingStoreSpec: Sendable, CustomStringConvertible {
    /// Opens a store with the database of one check. If it is called again, it opens one more store
    /// with the same database.
    public typealias StoreFactory =
        @Sendable (_ clock: TestClock) async throws -> any BookingStore

    /// Reads the occupied grains of the database that have not expired at an instant.
    public typealias OccupancyReader = @Sendable (_ now: Timestamp) throws -> [OccupiedGrain]

    /// Waits until the feed of changes shows everything that was committed. In PostgreSQL, a
    /// transaction that runs delays later ones in the feed.
    public typealias FeedWait = @Sendable () async throws -> Void

    /// The requirement as a sentence.
    public let description: String
    /// Whether the check opens several stores with one database.
    public let needsSharedDatabase: Bool
    private let body: @Sendable (StoreFixture) async throws -> Void

    init(
        _ description: String,
        needsSharedDatabase: Bool = false,
        _ body: @escaping @Sendable (StoreFixture) async throws -> Void
    ) {
        self.description = description
        self.needsSharedDatabase = needsSharedDatabase
        self.body = body
    }

    /// Checks the requirement with an empty database. Throws a ``SpecViolation`` if it is not met.
    public func check(
        awaitFeed: @escaping FeedWait = {},
        _ makeStore: @escaping StoreFactory
    ) async throws {
        let fixture = try await StoreFixture(makeStore, awaitFeed)
        defer { fixture.store.close() }
        try await body(fixture)
    }

    /// All requirements.
    public static let all: [BookingStoreSpec] =
        booking + changing + resources + holds + limits + keys + lists + conflicts + salons
        + imports + tokens
        + retention + clocks + customers + visibility + audit + wallClock + concurrency

    /// Adds staff to the first salon.
    static func addStaff(_ fixture: StoreFixture) async throws {
        let salon = StoreFixture.staffed(StoreFixture.salon(StoreFixture.first))
        _ = try await fixture.store.put(salon, if: .present)
    }
}
