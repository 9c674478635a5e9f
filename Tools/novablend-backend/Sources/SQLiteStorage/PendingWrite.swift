import BookingStorage

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
