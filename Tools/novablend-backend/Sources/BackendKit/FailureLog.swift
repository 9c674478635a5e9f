import BookingStorage
import Domain
import Synchronization

/// Logs failures of the storage. While each request fails for the same reason, that is logged once
/// a minute.
final class FailureLog: Sendable {
    private struct Entry {
        var failure: StorageFailure
        var time: Timestamp
    }

    private let clock: any WallClock
    private let log: @Sendable (String) -> Void
    private let last = Mutex<Entry?>(nil)

    init(clock: any WallClock, log: @escaping @Sendable (String) -> Void) {
        self.clock = clock
        self.log = log
    }

    func report(_ failure: StorageFailure) {
        let now = clock.now
        let isNew = last.withLock { last in
            if let last, last.failure == failure, abs(now.seconds(since: last.time)) < 60 {
                return false
            }
            last = Entry(failure: failure, time: now)
            return true
        }
        if isNew { log("database: \(failure)") }
    }
}
