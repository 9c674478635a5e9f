import BookingStorage

/// An operation that waits for the writer.
protocol PendingWrite: Sendable {
    /// When the operation fails if a different program still has the database locked.
    var deadline: ContinuousClock.Instant { get }

    /// Runs the operation and stores its result. Returns whether it has succeeded. May be called
    /// again after the changes of an earlier call were rolled back.
    func run(in transaction: WriteTransaction) -> Bool

    /// Answers the caller: with the failure, or with the result of the last run.
    func finish(_ failure: StorageFailure?)
}

/// An operation whose caller waits in a continuation.
final class PendingOperation<Value: Sendable>: PendingWrite {
    typealias Outcome = Result<Value, StoreError>

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

    func run(in transaction: WriteTransaction) -> Bool {
        do {
            outcome = .success(try body(transaction))
            return true
        } catch let error as StoreError {
            outcome = .failure(error)
        } catch let failure as StorageFailure {
            outcome = .failure(.unavailable(failure))
        } catch {
            outcome = .failure(.rejected(error))
        }
        return false
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
