public import Domain
import Synchronization

/// An in-memory change counter.
public final class InMemoryChangeCounter: ChangeCounter {
    private let count = Mutex<UInt64>(0)

    /// Creates a counter at 0.
    public init() {}

    /// The number of changes so far.
    public var value: UInt64 { count.withLock(\.self) }

    /// Counts a change.
    public func advance() { count.withLock { $0 += 1 } }
}
