public import Domain
import Synchronization

/// A directory that gives one answer from its cache, and one from the server.
public final class SalonDirectoryStub: SalonDirectory {
    private let cached: SalonLookup
    private let server: SalonLookup
    private let count = Mutex(0)

    /// Makes a directory that gives `cached` for every salon, and `reloaded` once it is reloaded.
    public init(_ cached: SalonLookup, reloaded: SalonLookup? = nil) {
        self.cached = cached
        server = reloaded ?? cached
    }

    /// How often a salon was reloaded.
    public var reloads: Int { count.withLock(\.self) }

    /// Gives the first answer.
    public func salon(_ id: SalonID) async -> SalonLookup { cached }

    /// Gives the second answer.
    public func reloadedSalon(_ id: SalonID) async -> SalonLookup {
        count.withLock { $0 += 1 }
        return server
    }
}
