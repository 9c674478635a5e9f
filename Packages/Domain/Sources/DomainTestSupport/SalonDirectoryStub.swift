public import Domain
import Synchronization

/// A directory with one result for lookups and one for reloads. It counts both.
public final class SalonDirectoryStub: SalonDirectory {
    private let cached: SalonLookup
    private let server: SalonLookup
    private let counts = Mutex((lookups: 0, reloads: 0))

    /// Creates a directory that returns `cached` for every lookup, and `reloaded` for every reload.
    /// If `reloaded` is nil, both return `cached`.
    public init(_ cached: SalonLookup, reloaded: SalonLookup? = nil) {
        self.cached = cached
        server = reloaded ?? cached
    }

    /// The number of lookups, without reloads.
    public var lookups: Int { counts.withLock(\.lookups) }

    /// The number of reloads.
    public var reloads: Int { counts.withLock(\.reloads) }

    /// Counts the lookup and returns its result.
    public func salon(_ id: SalonID) async -> SalonLookup {
        counts.withLock { $0.lookups += 1 }
        return cached
    }

    /// Counts the reload and returns its result.
    public func reloadedSalon(_ id: SalonID) async -> SalonLookup {
        counts.withLock { $0.reloads += 1 }
        return server
    }
}
