import Synchronization

/// Which kinds of calls are quick, by how long the last one of each took.
///
/// What took less than ``limit`` without and with waiting is done on the reader's thread the next
/// time, since to wake another thread would take about a tenth of that. A call that blocks or
/// computes for long is never done there twice in a row, and never the first time.
final class Pace: Sendable {
    static let limit = Duration.microseconds(200)

    private let quick = Mutex<Set<String>>([])

    func isQuick(_ kind: String) -> Bool { quick.withLock { $0.contains(kind) } }

    /// Does `work`, and remembers how long it took.
    func time<R>(_ kind: String, _ work: () async -> R) async -> R {
        let start = ContinuousClock.now
        let result = await work()
        note(kind, took: ContinuousClock.now - start)
        return result
    }

    func note(_ kind: String, took duration: Duration) {
        quick.withLock { quick in
            if duration >= Self.limit {
                quick.remove(kind)
            } else if !quick.contains(kind) {
                quick.insert(kind)
            }
        }
    }
}
