import Synchronization

/// Generates the keys `key-1`, `key-2`, and so on.
public final class SequentialKeys: Sendable {
    private let count = Mutex(0)

    /// Creates a source whose first key is `key-1`.
    public init() {}

    /// Returns the next key.
    public func makeKey() -> String {
        count.withLock { count in
            count += 1
            return "key-\(count)"
        }
    }
}
