import Networking
import Synchronization

/// Judges by `Date` whether a cache may have answered a lookup, although the request has a unique
/// parameter. Such a cache ignores the query, and may send no `Age`.
///
/// A `Date` in the past can also mean that the server's clock is behind, or this machine's ahead. Then
/// the difference is the same for each response, while that of a cached response grows.
final class DateLag: Sendable {
    enum Judgment: Equatable {
        /// `Date` shows no sign of a cache.
        case current
        /// There is no earlier response to compare with, so the lookup must be repeated.
        case unknown
        /// The difference has grown.
        case old
    }

    /// The difference in seconds that is not taken for an age.
    private static let tolerance = 60

    /// The difference of the last response.
    private let last = Mutex<Int?>(nil)

    /// Judges a response, and remembers it for the next one.
    func judge(_ response: HTTPResponse) -> Judgment {
        guard let lag = response.dateLag(now: SystemRetryClock().date) else { return .current }
        let earlier = last.withLock { last in
            defer { last = lag }
            return last
        }
        if lag <= Self.tolerance { return .current }
        guard let earlier else { return .unknown }
        // `Date` has whole seconds.
        return lag <= earlier + 1 ? .current : .old
    }
}
