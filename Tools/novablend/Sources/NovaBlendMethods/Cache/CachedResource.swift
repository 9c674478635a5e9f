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
    let validate: @Sendable (_ isDryRun: Bool) throws(Failure) -> CacheValidation
    /// The status of a list; nil for images, which have no such status. `bytes` returns the size of
    /// the list.
    let status: (@Sendable (_ bytes: () -> Int?) throws(Failure) -> CachedListStatus)?

    /// Makes the entry of a list whose elements `count` counts.
    package init<List>(
        _ name: String,
        _ loader: @escaping @autoclosure @Sendable () -> ResourceLoader<List>,
        count: @escaping @Sendable (List) -> Int
    ) {
        self.name = name
        validate = { isDryRun throws(Failure) in
            try loader().validateCache(isDryRun: isDryRun)
        }
        status = { bytes throws(Failure) in
            guard let cached = try loader().inspectCache() else {
                return CachedListStatus(name: name, state: .empty)
            }
            let state: CachedListStatus.State =
                cached.isFresh ? (cached.isComplete ? .fresh : .incomplete) : .expired
            return CachedListStatus(
                name: name,
                state: cached.isFromFuture ? .fromFuture : state,
                count: count(cached.value),
                bytes: bytes(),
                savedAt: cached.fetchedAt,
                ageSeconds: cached.isFromFuture ? nil : cached.ageSeconds,
                expiresAt: cached.expiresAt
            )
        }
    }

    /// Makes the entry of all images.
    package init(_ name: String, _ images: ImageCache) {
        self.name = name
        validate = { isDryRun throws(Failure) in
            do {
                return try images.validate(isDryRun: isDryRun)
            } catch {
                throw .cache(.deletion, error)
            }
        }
        status = nil
    }
}

/// What is cached of a list, and how old it is.
package struct CachedListStatus: Sendable {
    static let schema = ObjectSchema([
        .init("name", .string),
        .init(
            "state",
            .string(in: State.allCases.map(\.rawValue)),
            "incomplete: fresh, but parts of the list were never loaded; fromFuture: its time is in the "
                + "future, so its age is not known"
        ),
        .optional("count", .integer, "the number of elements"),
        .optional("bytes", .integer),
        .optional("savedAt", .dateTime, "when it was loaded from the server"),
        .optional("ageSeconds", .integer),
        .optional("expiresAt", .dateTime, "absent if it never expires"),
        .optional("reason", .string, "why it cannot be read"),
    ]).named("CachedList")

    package enum State: String, Sendable, CaseIterable {
        case empty, fresh, incomplete, expired, fromFuture, unreadable
    }

    package let name: String
    package let state: State
    /// The number of elements.
    package var count: Int?
    package var bytes: Int?
    /// When it was loaded from the server.
    var savedAt: Timestamp?
    package var ageSeconds: Int64?
    /// When it expires; nil if it never does.
    package var expiresAt: Timestamp?
    /// Why it cannot be read.
    package var reason: String?

    func write(to writer: inout JSONWriter) {
        writer.member("name", name)
        writer.member("state", state.rawValue)
        writer.member("count", count)
        writer.member("bytes", bytes)
        writer.member("savedAt", savedAt.map(ISO8601.formatUTC))
        writer.member("ageSeconds", ageSeconds)
        writer.member("expiresAt", expiresAt.map(ISO8601.formatUTC))
        writer.member("reason", reason)
    }
}
