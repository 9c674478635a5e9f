public import Domain
import Synchronization

/// A directory that gives one answer from its cache and one from the server, and counts both.
public final class SalonDirectoryStub: SalonDirectory {
    private let cached: SalonLookup
    private let server: SalonLookup
    private let counts = Mutex((lookups: 0, reloads: 0))

    /// Makes a directory that gives `cached` for every salon, and `reloaded` once it is reloaded.
    public init(_ cached: SalonLookup, reloaded: SalonLookup? = nil) {
        self.cached = cached
        server = reloaded ?? cached
    }

    /// How often a salon was looked up, without reloads.
    public var lookups: Int { counts.withLock(\.lookups) }

    /// How often a salon was reloaded.
    public var reloads: Int { counts.withLock(\.reloads) }

    /// Gives the first answer.
    public func salon(_ id: SalonID) async -> SalonLookup {
        counts.withLock { $0.lookups += 1 }
        return cached
    }

    /// Gives the second answer.
    public func reloadedSalon(_ id: SalonID) async -> SalonLookup {
        counts.withLock { $0.reloads += 1 }
        return server
    }
}
