public import Domain
import Synchronization

/// A clock that a test sets.
public final class ManualClock: WallClock {
    private let current: Mutex<Timestamp>

    /// Creates a clock that shows `start`.
    public init(_ start: Timestamp = Timestamp(secondsSince1970: 1_729_418_699)) {
        current = Mutex(start)
    }

    /// The time of the clock.
    public var now: Timestamp { current.withLock { $0 } }

    /// Sets the clock forward, or back if `seconds` is negative.
    public func advance(bySeconds seconds: Int64) {
        current.withLock { $0 = $0.advanced(bySeconds: seconds) }
    }
}
