public import Domain
import Synchronization

/// A clock that shows what a test sets.
public final class SteppedClock: WallClock {
    private let current: Mutex<Timestamp>

    /// Makes a clock that shows `start`.
    public init(_ start: Timestamp = Timestamp(secondsSince1970: 1_729_418_699)) {
        current = Mutex(start)
    }

    /// What the clock shows.
    public var now: Timestamp { current.withLock { $0 } }

    /// Moves the clock; a negative number of seconds moves it back.
    public func advance(bySeconds seconds: Int64) {
        current.withLock { $0 = $0.advanced(bySeconds: seconds) }
    }
}
