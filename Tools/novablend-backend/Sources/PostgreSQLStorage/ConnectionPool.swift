import BookingStorage
import Domain
import Synchronization
import SystemSupport

/// The threads that talk to the server, each with its own connection. A caller suspends until one of
/// them has done its call.
final class ConnectionPool: Sendable {
    private struct State {
        var queue = CallQueue()
        var isClosed = false
        /// The number of threads that wait for `wakeups`, or soon will, and have not been signaled.
        var idleThreads = 0

        /// Chooses up to `count` idle threads, which must be signaled. Returns how many.
        mutating func takeIdleThreads(_ count: Int) -> Int {
            let taken = min(count, idleThreads)
            idleThreads -= taken
            return taken
        }
    }

    private let state = Mutex(State())
    private let wakeups = Semaphore()
    private let finished = Semaphore()
    private let count: Int
    private let waitTimeout: Duration

    /// Starts the threads. Connections are opened when they are needed.
    init(
        connections count: Int,
        waitTimeout: Duration,
        makeSession: @escaping @Sendable () -> Session
    ) throws(StorageFailure) {
        self.count = count
        self.waitTimeout = waitTimeout
        for started in 0..<count {
            do {
                try SystemThread.start { self.run(makeSession()) }
            } catch {
                close(started)
                throw StorageFailure(.other, "cannot start a thread for the database: \(error)")
            }
        }
    }

    /// The number of calls that wait for a connection.
    var waitingCount: Int { state.withLock { $0.queue.count } }

    /// Runs `body` with a session and the deadline of the call, and returns its result.
    func perform<Value: Sendable>(
        within timeout: Duration? = nil,
        _ body: @escaping @Sendable (Session, ContinuousClock.Instant) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let deadline = ContinuousClock.now + (timeout ?? waitTimeout)
        let outcome: Result<Value, StoreError> = await withUnsafeContinuation { continuation in
            let call = WaitingCall(deadline: deadline, body: body, continuation: continuation)
            if let failure = enqueue(call) { call.fail(failure) }
        }
        return try outcome.get()
    }

    /// Books an appointment. Bookings of different salons that wait at the same time share a
    /// transaction.
    func book(
        _ booking: BookingRequest,
        as request: KeyedRequest?,
        by principal: Principal,
        check: @escaping @Sendable (Salon) throws -> BookingPlan
    ) async throws(StoreError) -> StoredAppointment {
        let deadline = ContinuousClock.now + waitTimeout
        let outcome: Result<StoredAppointment, StoreError> = await withUnsafeContinuation {
            let pending = PendingBooking(
                booking: booking,
                request: request,
                principal: principal,
                check: check,
                deadline: deadline,
                continuation: $0
            )
            if let failure = enqueue(pending) { pending.fail(failure) }
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
        let idleThreads = state.withLock { state -> Int? in
            if state.isClosed { return nil }
            state.isClosed = true
            return state.idleThreads
        }
        guard let idleThreads else { return }
        for _ in 0..<idleThreads { wakeups.signal() }
        for _ in 0..<threads { finished.wait() }
    }

    private func enqueue(_ call: any PendingCall) -> StorageFailure? {
        let (failure, wakes) = state.withLock { state -> (StorageFailure?, Bool) in
            if state.isClosed { return (StorageFailure(.closed, "the store was closed"), false) }
            if state.queue.isFull {
                return (StorageFailure(.overloaded, "too many calls are waiting"), false)
            }
            state.queue.append(call)
            return (nil, state.takeIdleThreads(1) == 1)
        }
        if wakes { wakeups.signal() }
        return failure
    }

    private func run(_ session: Session) {
        while let work = next() {
            switch work {
            case .call(let call): call.run(session)
            case .batch(let batch): putBack(batch.run(session))
            }
        }
        finished.signal()
    }

    /// Lets all threads run the calls, so that one that waits for a lock does not delay the others.
    private func putBack(_ calls: [any PendingCall]) {
        if calls.isEmpty { return }
        let count = state.withLock { state in
            state.queue.putBack(calls)
            // This thread runs one of them.
            return state.takeIdleThreads(calls.count - 1)
        }
        for _ in 0..<count { wakeups.signal() }
    }

    /// Waits for a call. Returns nil if the queue is closed and empty.
    private func next() -> CallQueue.Work? {
        while true {
            let (work, isClosed) = state.withLock { state in
                let work = state.queue.next()
                if work == nil, !state.isClosed { state.idleThreads += 1 }
                return (work, state.isClosed)
            }
            if work != nil || isClosed { return work }
            wakeups.wait()
        }
    }
}
