import Synchronization

/// How many bytes of replies wait to be read by the peer, and what that permits.
final class OutputBackpressure: Sendable {
    private let limit: Int
    private let waitingBytes = Atomic(0)
    private let isClosed = Atomic(false)
    /// Whether a thread is in ``waitBelowHighWatermark()``, or is about to be.
    private let hasWaiter = Atomic(false)
    private let wakeup = Semaphore()

    /// No call starts while `limit` bytes wait. Twice as many are the high watermark.
    init(limit: Int) { self.limit = limit }

    /// Whether calls may start, which will produce more replies.
    var allowsReplies: Bool { waitingBytes.load(ordering: .acquiring) < limit }

    /// Whether no input should be read, because the peer writes much and reads nothing.
    var isOverHighWatermark: Bool {
        waitingBytes.load(ordering: .sequentiallyConsistent) >= 2 * limit
    }

    func add(_ bytes: Int) {
        waitingBytes.add(bytes, ordering: .sequentiallyConsistent)
    }

    /// Removes bytes that were written; true if calls may start again because of that.
    func remove(_ bytes: Int) -> Bool {
        let change = waitingBytes.subtract(bytes, ordering: .sequentiallyConsistent)
        if hasWaiter.exchange(false, ordering: .sequentiallyConsistent) { wakeup.signal() }
        return change.oldValue >= limit && change.newValue < limit
    }

    /// Returns when ``isOverHighWatermark`` is false or the output is closed. Only for one thread.
    func waitBelowHighWatermark() {
        while true {
            // Before the check, so that a change after the check wakes this thread.
            hasWaiter.store(true, ordering: .sequentiallyConsistent)
            if !isOverHighWatermark || isClosed.load(ordering: .sequentiallyConsistent) { break }
            wakeup.wait()
        }
        hasWaiter.store(false, ordering: .sequentiallyConsistent)
    }

    /// Ends the wait: nothing will be written any more.
    func close() {
        isClosed.store(true, ordering: .sequentiallyConsistent)
        if hasWaiter.exchange(false, ordering: .sequentiallyConsistent) { wakeup.signal() }
    }
}
