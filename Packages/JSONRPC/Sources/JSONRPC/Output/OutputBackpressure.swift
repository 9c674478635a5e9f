import Synchronization
import SystemSupport

/// Counts the output that the peer has not read, to limit the replies that are added to it.
final class OutputBackpressure: Sendable {
    private let limit: Int
    private let pendingBytes = Atomic(0)
    private let isClosed = Atomic(false)
    /// Whether a thread is in ``waitBelowHighWatermark()``, or about to enter it.
    private let hasWaiter = Atomic(false)
    private let wakeup = Semaphore()

    /// Creates a limit: no calls start while `limit` bytes or more are pending. The high watermark
    /// is twice the limit.
    init(limit: Int) { self.limit = limit }

    /// Whether calls may start and produce more replies.
    var hasCapacity: Bool { pendingBytes.load(ordering: .acquiring) < limit }

    /// Whether to stop reading input, because the peer sends requests without reading the replies.
    var isOverHighWatermark: Bool {
        // Halve the number of bytes, because `2 * limit` may overflow.
        pendingBytes.load(ordering: .sequentiallyConsistent) / 2 >= limit
    }

    func add(_ bytes: Int) {
        pendingBytes.add(bytes, ordering: .sequentiallyConsistent)
    }

    /// Removes bytes that were written; true if that makes ``hasCapacity`` true again.
    func remove(_ bytes: Int) -> Bool {
        let change = pendingBytes.subtract(bytes, ordering: .sequentiallyConsistent)
        if hasWaiter.exchange(false, ordering: .sequentiallyConsistent) { wakeup.signal() }
        return change.oldValue >= limit && change.newValue < limit
    }

    /// Waits until ``isOverHighWatermark`` is false or the output is closed. Only one thread may
    /// wait.
    func waitBelowHighWatermark() {
        while true {
            // Set this before the check, so that a change after the check wakes this thread.
            hasWaiter.store(true, ordering: .sequentiallyConsistent)
            if !isOverHighWatermark || isClosed.load(ordering: .sequentiallyConsistent) { break }
            wakeup.wait()
        }
        hasWaiter.store(false, ordering: .sequentiallyConsistent)
    }

    /// Ends the wait: nothing more will be written.
    func close() {
        isClosed.store(true, ordering: .sequentiallyConsistent)
        if hasWaiter.exchange(false, ordering: .sequentiallyConsistent) { wakeup.signal() }
    }
}
