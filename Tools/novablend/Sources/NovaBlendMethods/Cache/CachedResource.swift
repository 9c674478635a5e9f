package import Domain
package import NovaBlendAdapters
import Persistence

/// A cached resource, for the methods about the cache. It stores closures, because a loader in its type
/// would slow down the start of the program.
package struct CachedResource: Sendable {
    /// How many elements a cached list has, and how old it is.
    struct Status: Sendable {
        let count: Int
        let isComplete: Bool
        let fetchedAt: Timestamp
        let ageSeconds: Int64
        let expiresAt: Timestamp?
        let isFresh: Bool

        init(_ inspection: CacheInspection<some Sendable>, count: Int) {
            self.count = count
            isComplete = inspection.isComplete
            fetchedAt = inspection.fetchedAt
            ageSeconds = inspection.ageSeconds
            expiresAt = inspection.expiresAt
            isFresh = inspection.isFresh
        }
    }

    let name: String
    /// Deletes data that has expired or cannot be read; a dry run only reports it.
    let validate: @Sendable (_ isDryRun: Bool) throws(CacheError) -> CacheValidation
    /// Returns the status of a cached list; nil if the list is not cached. Images have no such status.
    let status: (@Sendable () throws(CacheError) -> Status?)?

    /// Makes the entry of a list.
    package init(
        _ name: String,
        _ loader: @escaping @autoclosure @Sendable () -> ResourceLoader<[some Sendable]>
    ) {
        self.init(name, loader(), count: \.count)
    }

    /// Makes the entry of a list whose elements `count` counts.
    package init<List>(
        _ name: String,
        _ loader: @escaping @autoclosure @Sendable () -> ResourceLoader<List>,
        count: @escaping @Sendable (List) -> Int
    ) {
        self.name = name
        validate = { isDryRun throws(CacheError) in
            try loader().validateCache(isDryRun: isDryRun)
        }
        status = { () throws(CacheError) in
            try loader().inspectCache().map { .init($0, count: count($0.value)) }
        }
    }

    /// Makes the entry of all images.
    package init(_ name: String, _ images: ImageCache) {
        self.name = name
        validate = { isDryRun throws(CacheError) in
            do throws(StoreError) {
                return try images.validate(isDryRun: isDryRun)
            } catch {
                throw CacheError(.deletion, reason: error.description)
            }
        }
        status = nil
    }
}
