public import Domain
import Synchronization

/// Keys `key-1`, `key-2` and so on.
public final class CountedKeys: IdempotencyKeySource {
    private let count = Mutex(0)

    /// Makes a source that begins at 1.
    public init() {}

    /// The next key.
    public func makeKey() -> String {
        count.withLock { count in
            count += 1
            return "key-\(count)"
        }
    }
}
