import BookingStorage
import Contract
import Domain
import NovaBlendMetrics
import Synchronization

/// Counts and logs failures of the storage. While each request fails for the same reason, that is
/// logged once a minute.
final class FailureLog: Sendable {
    private let clock: any WallClock
    private let log: @Sendable (LogEntry) -> Void
    private let last = Mutex<(failure: StorageFailure, time: Timestamp)?>(nil)
    private let counters = StorageFailure.Kind.allCases.map { ($0, Counter()) }

    init(clock: any WallClock, log: @escaping @Sendable (LogEntry) -> Void) {
        self.clock = clock
        self.log = log
    }

    func report(_ failure: StorageFailure, requestID: String) {
        counters.first { $0.0 == failure.kind }?.1.increment()
        let now = clock.now
        let isNew = last.withLock { last in
            if let last, last.failure == failure, now.seconds(since: last.time).magnitude < 60 {
                return false
            }
            last = (failure, now)
            return true
        }
        if isNew { log(.message("database: \(failure)", requestID: requestID)) }
    }

    func writeMetrics(to text: inout MetricsText) {
        let metric = "novablend_database_errors_total"
        text.begin(metric, .counter, "Requests that failed because of the database, by kind.")
        for (kind, counter) in counters {
            text.sample(metric, counter.value, ["kind": kind.rawValue])
        }
    }
}
