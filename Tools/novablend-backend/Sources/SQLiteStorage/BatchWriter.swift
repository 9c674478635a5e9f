import BookingStorage
import Domain
import NovaBlendMetrics

/// Writes batches of operations, each batch in one transaction and each operation in a savepoint.
/// An operation is answered after the commit.
final class BatchWriter: @unchecked Sendable {
    private static let savepoint = SQL("SAVEPOINT operation")
    private static let release = SQL("RELEASE operation")
    private static let undo = SQL("ROLLBACK TO operation")

    // Only the thread of the writer uses this connection.
    private let database: Database
    private let file: DatabaseFile
    private let salons: DecodedSalonCache
    private let clock: any WallClock
    private let checkpointer: Checkpointer?
    let metrics = CommitMetrics()

    init(
        _ database: Database,
        file: DatabaseFile,
        salons: DecodedSalonCache,
        clock: any WallClock,
        checkpointer: Checkpointer?
    ) {
        self.database = database
        self.file = file
        self.salons = salons
        self.clock = clock
        self.checkpointer = checkpointer
        checkpointer?.observe(database)
    }

    /// Writes a batch and answers all its operations. If they change many rows, they need several
    /// transactions, so that no operation waits long for those that share its transaction.
    func write(_ batch: [any PendingWrite]) {
        var rest = batch
        while !rest.isEmpty {
            guard file.isInPlace else { return fail(rest, file.replaced) }
            let waiting = begin(rest)
            if waiting.isEmpty { return }
            guard let count = run(waiting) else {
                // SQLite has rolled back the whole transaction because of one operation.
                salons.removeAll()
                return writeSeparately(waiting)
            }
            let failure = commit(count)
            for operation in waiting.prefix(count) { operation.finish(failure) }
            checkpointer?.batchEnded(in: database)
            rest = Array(waiting.dropFirst(count))
        }
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
            do throws(StorageFailure) {
                let remaining = max(deadline - .now, .zero)
                database.setBusyTimeout(milliseconds: remaining.wholeMilliseconds + 1)
                try database.beginImmediate()
                // A different process may have changed the tables since the last batch.
                try Schema.checkVersion(of: database)
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

    /// Runs the first operation, and more of them until they have changed as many rows as a
    /// transaction may. Returns their number; nil if the transaction is no longer open.
    private func run(_ operations: [any PendingWrite]) -> Int? {
        var transaction = WriteTransaction(database: database, salons: salons, now: clock.now)
        let start = database.totalChanges
        do throws(StorageFailure) {
            for (index, operation) in operations.enumerated() {
                if database.totalChanges - start >= Requirement.maximumRows { return index }
                try database.run(Self.savepoint)
                let outcome = operation.run(in: transaction)
                if database.isAutocommit { return nil }
                if outcome != .succeeded { try database.run(Self.undo) }
                try database.run(Self.release)
                if outcome == .postponed { return index }
                transaction.batchStart = start
            }
            return operations.count
        } catch {
            database.rollback()
            return nil
        }
    }

    /// Writes each operation in its own transaction, so that the failure of one affects no other.
    private func writeSeparately(_ operations: [any PendingWrite]) {
        for operation in operations {
            guard !begin([operation]).isEmpty else { continue }
            let transaction = WriteTransaction(database: database, salons: salons, now: clock.now)
            guard operation.run(in: transaction) == .succeeded else {
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
        do throws(StorageFailure) {
            try database.commit()
            metrics.sizes.observe(count)
            metrics.durations.observe(MonotonicTime.nanoseconds - start)
        } catch {
            database.rollback()
            salons.removeAll()
            return error
        }
        // Whatever was written to a deleted file is lost.
        return file.isInPlace ? nil : file.replaced
    }

    private func fail(_ operations: [any PendingWrite], _ failure: StorageFailure) {
        for operation in operations { operation.finish(failure) }
    }
}

extension Duration {
    /// The duration in milliseconds, rounded down.
    fileprivate var wholeMilliseconds: Int {
        Int(clamping: components.seconds) * 1_000
            + Int(clamping: components.attoseconds / 1_000_000_000_000_000)
    }
}
