import Networking
import Synchronization
import WebPrimitives

/// A clock that advances only when a test advances it, and during `sleep`.
final class ManualClock: RetryClock {
    let date = HTTPDate(secondsSince1970: 784_111_777)
    private let state = Mutex<(now: ContinuousClock.Instant, sleeps: [Duration])>((.now, []))

    var now: ContinuousClock.Instant { state.withLock { $0.now } }
    /// The durations of all sleeps so far.
    var sleeps: [Duration] { state.withLock { $0.sleeps } }

    func advance(by duration: Duration) { state.withLock { $0.now += duration } }

    func sleep(for duration: Duration) async throws {
        if Task.isCancelled { throw CancellationError() }
        state.withLock { state in
            state.now += duration
            state.sleeps.append(duration)
        }
    }
}
