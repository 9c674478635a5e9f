import Synchronization

/// A clock that moves only when a test advances it.
final class TestClock: Sendable {
    private let state = Mutex(ContinuousClock.now)

    var now: ContinuousClock.Instant { state.withLock(\.self) }

    func advance(_ duration: Duration) { state.withLock { $0 += duration } }
}
