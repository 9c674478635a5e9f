import Networking
import Synchronization

/// A clock on which only waiting takes time.
final class ManualClock: RetryClock {
    let date = HTTPDate(secondsSince1970: 784_111_777)
    private let time = Mutex<(now: Int, waits: [Int])>((0, []))

    var milliseconds: Int { time.withLock { $0.now } }
    /// How long was waited each time.
    var waits: [Int] { time.withLock { $0.waits } }

    func advance(milliseconds: Int) { time.withLock { $0.now += milliseconds } }

    func sleep(milliseconds: Int) async throws(CancellationError) {
        if Task.isCancelled { throw CancellationError() }
        time.withLock { time in
            time.now += milliseconds
            time.waits.append(milliseconds)
        }
    }
}
