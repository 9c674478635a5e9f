import Contract
package import Domain
import JSON
package import NovaBlendAdapters
import Persistence

/// A cached resource, for the methods about the cache. It stores closures, because a loader in its type
/// would slow down the start of the program.
package struct CachedResource: Sendable {
    let name: String
    /// Deletes data that has expired or cannot be read; a dry run only reports it.
    let validate: @Sendable (_ isDryRun: Bool) throws(CacheError) -> CacheValidation
    /// Writes the status of a list; nil for images, which have no such status. `bytes` returns the
    /// size of the list.
    let writeStatus: StatusWriter?

    typealias StatusWriter =
        @Sendable (_ bytes: () -> Int?, inout JSONWriter) throws(CacheError) -> Void

    /// Makes the entry of a list.
    package init(
        _ name: String,
        _ loader: @escaping @autoclosure @Sendable () -> ResourceLoader<[some Sendable]>
    ) {
        self.init(name, loader(), count: { $0.count })
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
        writeStatus = { bytes, writer throws(CacheError) in
            guard let cached = try loader().inspectCache() else {
                return writer.member("state", "empty")
            }
            let fresh = cached.isComplete ? "fresh" : "incomplete"
            let state = cached.isFresh ? fresh : "expired"
            writer.member("state", cached.isFromFuture ? "fromFuture" : state)
            writer.member("count", count(cached.value))
            writer.member("bytes", bytes())
            writer.member("savedAt", ISO8601.formatUTC(cached.fetchedAt))
            writer.member("ageSeconds", cached.isFromFuture ? nil : cached.ageSeconds)
            writer.member("expiresAt", cached.expiresAt.map(ISO8601.formatUTC))
        }
    }

    /// Makes the entry of all images.
    package init(_ name: String, _ images: ImageCache) {
        self.name = name
        validate = { isDryRun throws(CacheError) in
            do {
                return try images.validate(isDryRun: isDryRun)
            } catch {
                throw CacheError(.deletion, error)
            }
        }
        writeStatus = nil
    }
}
