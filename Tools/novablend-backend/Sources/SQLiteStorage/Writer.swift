import BookingStorage
import Domain
import NovaBlendMetrics
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

/// What an operation has done in a transaction.
enum WriteOutcome {
    case succeeded
    /// The changes of the operation must be rolled back, because it failed or was a preview.
    case undone
    /// The changes of the operation must be rolled back. It runs again in a different transaction.
    case postponed(Postponement)
}

/// In which transaction an operation with many rows runs.
enum Postponement {
    /// In the next one, because the present one has changed many rows.
    case next
    /// In one of its own.
    case alone
}

/// An operation that waits for the writer.
protocol PendingWrite: Sendable {
    /// When the operation fails if a different program still has the database locked.
    var deadline: ContinuousClock.Instant { get }

    /// Runs the operation and stores its result. May be called again after the changes of an earlier
    /// call were rolled back.
    func run(in transaction: WriteTransaction) -> WriteOutcome

    /// Answers the caller: with the failure, or with the result of the last run.
    func finish(_ failure: StorageFailure?)
}

/// An operation whose caller waits in a continuation.
final class PendingOperation<Value: Sendable>: PendingWrite {
    typealias Outcome = Result<Value, Problem>

    let deadline: ContinuousClock.Instant
    private let body: @Sendable (WriteTransaction) throws -> Value
    private let continuation: UnsafeContinuation<Outcome, Never>
    // Only the thread of the writer uses it.
    private nonisolated(unsafe) var outcome: Outcome?

    init(
        deadline: ContinuousClock.Instant,
        body: @escaping @Sendable (WriteTransaction) throws -> Value,
        continuation: UnsafeContinuation<Outcome, Never>
    ) {
        self.deadline = deadline
        self.body = body
        self.continuation = continuation
    }

    func run(in transaction: WriteTransaction) -> WriteOutcome {
        do {
            outcome = .success(try body(transaction))
            return transaction.areChangesDiscarded ? .undone : .succeeded
        } catch {
            if let postponement = transaction.postponement { return .postponed(postponement) }
            outcome = .failure(Problem(error))
            return .undone
        }
    }

    func finish(_ failure: StorageFailure?) {
        if let failure {
            continuation.resume(returning: .failure(.unavailable(failure)))
        } else if let outcome {
            continuation.resume(returning: outcome)
        } else {
            let failure = StorageFailure(.other, "the operation did not run")
            continuation.resume(returning: .failure(.unavailable(failure)))
        }
    }
}

/// Writes batches of operations, each batch in one transaction and each operation in a savepoint.
/// An operation is answered after the commit.
final class BatchWriter: @unchecked Sendable {
    /// The operations of a batch that must run in other transactions, because they change many rows.
    struct Rest {
        /// The changes that were next when the transaction was full.
        var next: [any PendingWrite] = []
        /// The changes that need a transaction of their own.
        var large: [any PendingWrite] = []
    }

    private static let savepoint = SQL("SAVEPOINT operation")
    private static let release = SQL("RELEASE operation")
    private static let undo = SQL("ROLLBACK TO operation")

    // Only the thread of the writer uses this connection.
    private let database: Database
    private let file: DatabaseFile
    private let salons: DecodedSalonCache
    private let clock: any WallClock
    private let monitor: ClockMonitor
    private let checkpointer: Checkpointer?
    /// The number of the last change before the transaction, until one of them has begun the term of
    /// this store; see ``ChangeRows``. Only the thread of the writer uses it.
    private var lastChange: Int64?
    private var hasBegunTerm = false
    let metrics = CommitMetrics(sizes: [1, 2, 4, 8, 16, 32, 64])

    init(
        _ database: Database,
        file: DatabaseFile,
        salons: DecodedSalonCache,
        clock: any WallClock,
        monitor: ClockMonitor,
        checkpointer: Checkpointer?
    ) {
        self.database = database
        self.file = file
        self.salons = salons
        self.clock = clock
        self.monitor = monitor
        self.checkpointer = checkpointer
        checkpointer?.observe(database)
    }

    /// Writes a batch. Answers its operations, except those that it returns.
    func write(_ batch: [any PendingWrite]) -> Rest {
        guard file.isInPlace else {
            fail(batch, file.replaced)
            return Rest()
        }
        let waiting = begin(batch)
        if waiting.isEmpty { return Rest() }
        guard let (done, rest) = run(waiting) else {
            // SQLite has rolled back the whole transaction because of one operation.
            salons.removeAll()
            writeSeparately(waiting)
            return Rest()
        }
        if done.isEmpty {
            database.rollback()
            return rest
        }
        let failure = commit(done.count)
        for operation in done { operation.finish(failure) }
        checkpointer?.batchEnded(in: database)
        return rest
    }

    /// Writes an operation in a transaction of its own, and answers it.
    func writeAlone(_ operation: any PendingWrite) {
        guard file.isInPlace else { return fail([operation], file.replaced) }
        writeSeparately([operation])
        checkpointer?.batchEnded(in: database)
    }

    /// Closes the connection, after the last batch.
    func close() {
        file.quarantineLog()
        database.close()
    }

    /// Begins a transaction. While a different program has the database locked, answers the
    /// operations whose time is up, and returns the others.
    private func begin(_ batch: [any PendingWrite]) -> [any PendingWrite] {
        var waiting = batch
        while let deadline = waiting.map(\.deadline).min() {
            do {
                database.lockTimeout = deadline - .now
                try database.beginImmediate()
                // A different process may have changed the tables since the last batch.
                try Schema(database: database).checkVersion()
                if !hasBegunTerm { lastChange = try ChangeRows.number(in: database) }
                return waiting
            } catch {
                guard error.kind == .locked else {
                    database.rollback()
                    fail(waiting, error)
                    return []
                }
                let now = ContinuousClock.now
                fail(waiting.filter { $0.deadline <= now }, error)
                waiting.removeAll { $0.deadline <= now }
            }
        }
        return []
    }

    private func makeTransaction(_ now: Timestamp, batchStart: Int? = nil) -> WriteTransaction {
        WriteTransaction(database, salons, monitor, now: now, batchStart: batchStart)
    }

    /// Runs operations until they have changed as many rows as a transaction may. Returns those that
    /// have run, and the others; nil if the transaction is no longer open.
    private func run(_ operations: [any PendingWrite]) -> (done: [any PendingWrite], Rest)? {
        let (now, start) = (clock.now, database.totalChanges)
        var (done, rest) = ([any PendingWrite](), Rest())
        do {
            for (index, operation) in operations.enumerated() {
                var isFull = database.totalChanges - start >= Requirement.maximumRows
                if !isFull {
                    let outcome = try run(
                        operation,
                        in: makeTransaction(now, batchStart: start)
                    )
                    switch outcome {
                    case nil: return nil
                    case .succeeded, .undone: done.append(operation)
                    case .postponed(.alone): rest.large.append(operation)
                    case .postponed(.next): isFull = true
                    }
                }
                if isFull {
                    rest.next = Array(operations[index...])
                    break
                }
            }
            return (done, rest)
        } catch {
            database.rollback()
            return nil
        }
    }

    /// Runs an operation in a savepoint. Returns nil if the transaction is no longer open.
    private func run(
        _ operation: any PendingWrite,
        in transaction: WriteTransaction
    ) throws(StorageFailure) -> WriteOutcome? {
        try database.run(Self.savepoint)
        let outcome = operation.run(in: transaction)
        if database.isAutocommit { return nil }
        if case .succeeded = outcome {} else { try database.run(Self.undo) }
        try database.run(Self.release)
        return outcome
    }

    /// Writes each operation in its own transaction, so that the failure of one affects no other.
    private func writeSeparately(_ operations: [any PendingWrite]) {
        for operation in operations {
            guard !begin([operation]).isEmpty else { continue }
            guard case .succeeded = operation.run(in: makeTransaction(clock.now)) else {
                database.rollback()
                salons.removeAll()
                operation.finish(nil)
                continue
            }
            operation.finish(commit(1))
        }
    }

    /// Commits some changes. Returns why they are not stored, or nil.
    private func commit(_ count: Int) -> StorageFailure? {
        let start = MonotonicTime.nanoseconds
        do {
            let beginsTerm = try beginTerm()
            try database.commit()
            hasBegunTerm = hasBegunTerm || beginsTerm
            metrics.sizes.observe(count)
            metrics.durations.observe(MonotonicTime.nanoseconds - start)
        } catch {
            database.rollback()
            salons.removeAll()
            return error
        }
        // Changes that were written to a deleted file are lost.
        return file.isInPlace ? nil : file.replaced
    }

    /// Begins the term of this store if the transaction has made its first change. Returns whether it
    /// has.
    private func beginTerm() throws(StorageFailure) -> Bool {
        guard !hasBegunTerm, let lastChange, try ChangeRows.number(in: database) > lastChange
        else { return false }
        try ChangeRows.beginTerm(after: lastChange, in: database)
        return true
    }

    private func fail(_ operations: [any PendingWrite], _ failure: StorageFailure) {
        for operation in operations { operation.finish(failure) }
    }
}
