public import Domain
import Synchronization

/// A change counter in memory.
public final class CountedChanges: ChangeCounter {
    private let count = Mutex<UInt64>(0)

    /// Makes a counter at 0.
    public init() {}

    /// The number of changes so far.
    public var value: UInt64 { count.withLock(\.self) }

    /// Counts a change.
    public func advance() { count.withLock { $0 += 1 } }
}
