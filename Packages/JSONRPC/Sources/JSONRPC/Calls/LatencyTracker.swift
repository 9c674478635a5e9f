import Synchronization

/// Remembers which groups of calls are fast, by how long the last call of each took.
///
/// A fast call runs on the thread that reads the input: waking another thread would take about a
/// tenth of ``fastLimit``. A slow call never runs there twice in a row, and never the first time.
final class LatencyTracker: Sendable {
    /// A call that takes less, including its waiting, is fast.
    static let fastLimit = Duration.microseconds(200)

    private let fastGroups = Mutex<Set<String>>([])

    func isFast(_ group: String) -> Bool { fastGroups.withLock { $0.contains(group) } }

    /// Runs `work` and records how long it took.
    func measure<R>(_ group: String, _ work: () async -> R) async -> R {
        let start = ContinuousClock.now
        let result = await work()
        record(group, ContinuousClock.now - start)
        return result
    }

    func record(_ group: String, _ duration: Duration) {
        fastGroups.withLock { groups in
            if duration >= Self.fastLimit {
                groups.remove(group)
            } else if !groups.contains(group) {
                groups.insert(group)
            }
        }
    }
}
