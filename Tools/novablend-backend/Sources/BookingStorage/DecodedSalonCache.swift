package import Domain
import Synchronization

/// Decoded salons, so that a booking does not decode the JSON of its salon.
///
/// ``salon(_:version:decode:)`` finds a salon only in its stored version, which changes whenever the
/// salon does. So the result is never out of date, whichever process changed the salon.
package final class DecodedSalonCache: Sendable {
    private static let maximumCount = 10_000

    private let entries = Mutex<[SalonID: Salon]>([:])

    /// Creates an empty cache.
    package init() {}

    /// The salon in this version. If it is not cached, decodes and caches it.
    package func salon(_ id: SalonID, version: Int, decode: () -> Salon?) -> Salon? {
        let cached = entries.withLock { $0[id] }
        if let cached, cached.version == version { return cached }
        guard let salon = decode() else { return nil }
        entries.withLock { entries in
            if entries.count >= Self.maximumCount { entries.removeAll() }
            entries[id] = salon
        }
        return salon
    }

    /// The salon in the version that was cached last, which may be out of date; nil if it is not
    /// cached.
    package func latest(_ id: SalonID) -> Salon? { entries.withLock { $0[id] } }

    /// Forgets all salons. A transaction that is rolled back may have cached a version that will
    /// stand for something else.
    package func removeAll() { entries.withLock { $0.removeAll() } }
}
