import BookingStorage
import Domain
import NovaBlendMetrics

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
