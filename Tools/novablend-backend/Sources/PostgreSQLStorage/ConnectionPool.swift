import BookingStorage
import Domain
import Synchronization
import SystemSupport

/// The threads that talk to the server, each with its own connection. A caller suspends until one of
/// them has done its call.
final class ConnectionPool: Sendable {
    /// How long a call waits for a connection, or for a server that cannot be reached.
    static let patience = Duration.seconds(5)
    private static let maximumQueue = 4_096

    private struct Queue {
        var calls: [any PendingCall] = []
        var isClosed = false
    }

    private let queue = Mutex(Queue())
    private let wakeups = Semaphore()
    private let finished = Semaphore()
    private let count: Int

    /// Starts the threads. Connections are opened when they are needed.
    init(
        connections count: Int,
        makeSession: @escaping @Sendable () -> Session
    ) throws(StorageFailure) {
        self.count = count
        for started in 0..<count {
            guard SystemThread.start({ self.run(makeSession()) }) else {
                close(started)
                throw StorageFailure(.other, "cannot start a thread for the database")
            }
        }
    }

    /// The number of calls that wait for a connection.
    var waitingCount: Int { queue.withLock { $0.calls.count } }

    /// Runs `body` with a session and returns its result. It gets the deadline of the call.
    func perform<Value: Sendable>(
        within patience: Duration = patience,
        _ body: @escaping @Sendable (Session, ContinuousClock.Instant) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let deadline = ContinuousClock.now + patience
        let outcome: Result<Value, StoreError> = await withUnsafeContinuation { continuation in
            let call = WaitingCall(deadline: deadline, body: body, continuation: continuation)
            if let failure = enqueue(call) { call.fail(failure) }
        }
        return try outcome.get()
    }

    /// Runs `body` later, if not too many calls are waiting. No caller waits for it.
    func start(_ body: @escaping @Sendable (Session) -> Void) {
        _ = enqueue(BackgroundCall(body: body))
    }

    /// Finishes the waiting calls and ends the threads. Later calls fail.
    func close() { close(count) }

    private func close(_ threads: Int) {
        let wasOpen = queue.withLock { queue in
            defer { queue.isClosed = true }
            return !queue.isClosed
        }
        guard wasOpen else { return }
        for _ in 0..<threads { wakeups.signal() }
        for _ in 0..<threads { finished.wait() }
    }

    private func enqueue(_ call: any PendingCall) -> StorageFailure? {
        let failure = queue.withLock { queue -> StorageFailure? in
            if queue.isClosed { return StorageFailure(.closed, "the store was closed") }
            guard queue.calls.count < Self.maximumQueue else {
                return StorageFailure(.overloaded, "too many calls are waiting")
            }
            queue.calls.append(call)
            return nil
        }
        if failure == nil { wakeups.signal() }
        return failure
    }

    private func run(_ session: Session) {
        while let call = next() { call.run(session) }
        finished.signal()
    }

    /// Waits for a call. Returns nil if the queue is closed and empty.
    private func next() -> (any PendingCall)? {
        // There is one signal for each call, and one for each thread after them.
        wakeups.wait()
        return queue.withLock { $0.calls.isEmpty ? nil : $0.calls.removeFirst() }
    }
}
