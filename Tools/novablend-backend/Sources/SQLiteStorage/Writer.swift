import BookingStorage
import Domain
import Synchronization
import SystemSupport

/// The thread that makes all changes of this process.
///
/// The operations that wait when a commit ends form the next batch: up to 64 in one transaction, so
/// that they share one sync of the disk. Nothing waits for a batch to fill. An operation that takes
/// many rows has a transaction of its own, at most one between two batches, so that the others do
/// not wait for all of them.
final class Writer: Sendable {
    /// The limits of the queue.
    struct Limits {
        /// The maximum number of operations in one transaction.
        var batch = 64
        /// The maximum number of operations that wait.
        var queue = 4_096
        /// How long an operation waits while a different program has the database locked.
        var lockTimeout = Duration.seconds(5)
    }

    private struct Queue {
        var operations: [any PendingWrite] = []
        /// The operations that need a transaction of their own.
        var large: [any PendingWrite] = []
        /// The number of operations that the thread has taken.
        var inProgress = 0
        var isClosed = false
        /// Whether the thread waits for `wakeups`.
        var isIdle = false

        /// The number of operations that have no answer yet.
        var count: Int { operations.count + large.count + inProgress }
    }

    private let queue = Mutex(Queue())
    private let wakeups = Semaphore()
    private let finished = Semaphore()
    private let limits: Limits
    private let batches: BatchWriter

    /// Starts the thread.
    init(_ batches: BatchWriter, limits: Limits) throws(StorageFailure) {
        self.batches = batches
        self.limits = limits
        do {
            try SystemThread.start { self.run() }
        } catch {
            throw StorageFailure(.other, "cannot start the thread that writes: \(error)")
        }
    }

    /// Runs an operation in a transaction and returns its result after the commit.
    ///
    /// - Parameter lockTimeout: How long it waits while a different program has the database
    ///   locked; nil for the default of ``Limits``.
    func perform<Value: Sendable>(
        lockTimeout: Duration? = nil,
        _ body: @escaping @Sendable (WriteTransaction) throws -> Value
    ) async throws(Problem) -> Value {
        let deadline = ContinuousClock.now + (lockTimeout ?? limits.lockTimeout)
        let outcome = await withUnsafeContinuation { continuation in
            let operation = PendingOperation(
                deadline: deadline,
                body: body,
                continuation: continuation
            )
            if let failure = enqueue(operation) { operation.finish(failure) }
        }
        return try outcome.get()
    }

    var metrics: CommitMetrics { batches.metrics }

    /// The number of operations that have no answer yet.
    var waitingCount: Int { queue.withLock(\.count) }

    /// Finishes the waiting operations and ends the thread. Later operations fail.
    func close() {
        let wasOpen = queue.withLock { queue in
            defer { queue.isClosed = true }
            return !queue.isClosed
        }
        guard wasOpen else { return }
        wakeups.signal()
        finished.wait()
    }

    private func enqueue(_ operation: any PendingWrite) -> StorageFailure? {
        let (failure, wakes) = queue.withLock { queue -> (StorageFailure?, Bool) in
            if queue.isClosed { return (StorageFailure(.closed, "the store was closed"), false) }
            guard queue.count < limits.queue else {
                return (StorageFailure(.overloaded, "too many changes are waiting"), false)
            }
            queue.operations.append(operation)
            defer { queue.isIdle = false }
            return (nil, queue.isIdle)
        }
        if wakes { wakeups.signal() }
        return failure
    }

    private func run() {
        while let (batch, large) = next() {
            let rest = batch.isEmpty ? BatchWriter.Rest() : batches.write(batch)
            if let large { batches.writeAlone(large) }
            queue.withLock { queue in
                queue.operations.insert(contentsOf: rest.next, at: 0)
                queue.large += rest.large
                queue.inProgress = 0
            }
        }
        batches.close()
        finished.signal()
    }

    /// Waits for operations: a batch, and one that needs a transaction of its own. Returns nil if the
    /// queue is closed and empty.
    private func next() -> (batch: [any PendingWrite], large: (any PendingWrite)?)? {
        while true {
            let (batch, large, isClosed) = queue.withLock { queue in
                let batch = Array(queue.operations.prefix(limits.batch))
                queue.operations.removeFirst(batch.count)
                let large = queue.large.isEmpty ? nil : queue.large.removeFirst()
                queue.inProgress = batch.count + (large == nil ? 0 : 1)
                queue.isIdle = queue.inProgress == 0
                return (batch, large, queue.isClosed)
            }
            if !batch.isEmpty || large != nil { return (batch, large) }
            if isClosed { return nil }
            wakeups.wait()
        }
    }
}
