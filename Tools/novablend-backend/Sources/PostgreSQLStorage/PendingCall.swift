import BookingStorage

/// A call that waits for a connection.
protocol PendingCall: Sendable {
    /// Runs the call and answers the caller.
    func run(_ session: Session)

    /// Answers the caller with a failure.
    func fail(_ failure: StorageFailure)
}

/// A call whose caller waits in a continuation.
struct WaitingCall<Value: Sendable>: PendingCall {
    let deadline: ContinuousClock.Instant
    /// The answer if no connection becomes free by the deadline.
    var delay = StorageFailure(.overloaded, "all connections to the database are busy")
    let body: @Sendable (Session, ContinuousClock.Instant) throws(StoreError) -> Value
    let continuation: UnsafeContinuation<Result<Value, StoreError>, Never>

    func run(_ session: Session) {
        guard ContinuousClock.now < deadline else { return fail(delay) }
        do throws(StoreError) {
            continuation.resume(returning: .success(try body(session, deadline)))
        } catch {
            continuation.resume(returning: .failure(error))
        }
    }

    func fail(_ failure: StorageFailure) {
        continuation.resume(returning: .failure(.unavailable(failure)))
    }
}

/// A call whose result nothing needs.
struct BackgroundCall: PendingCall {
    let body: @Sendable (Session) -> Void

    func run(_ session: Session) { body(session) }

    func fail(_ failure: StorageFailure) {}
}
