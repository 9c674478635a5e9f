import BookingStorage
import Domain
import Synchronization
import SystemSupport

/// The threads that talk to the server, each with its own connection. A caller suspends until one of
/// them has done its call, but not beyond its deadline, even if the thread cannot go on.
///
/// A thread takes a call only when it is connected. So the calls need not wait for a thread to which
/// the server, or a connection pool in front of it, gives no connection.
final class ConnectionPool: Sendable {
    private struct State {
        var queue: CallQueue
        var isClosed = false
        /// How many threads wait for a signal, or soon will, and have not been signaled: those with
        /// a connection, and the others.
        var idleConnected = 0
        var idleUnconnected = 0
        /// Why no connection could be opened last; nil after one was opened.
        var failure: StorageFailure?
        /// The callers that may have no answer yet.
        var callers: [any TimedCaller] = []
        var hasTimer = false

        /// Chooses up to `count` idle threads, which must be signaled. Returns how many have a connection,
        /// and how many do not.
        mutating func takeIdleThreads(_ count: Int) -> (connected: Int, unconnected: Int) {
            let connected = min(count, idleConnected)
            let unconnected = min(count - connected, idleUnconnected)
            idleConnected -= connected
            idleUnconnected -= unconnected
            return (connected, unconnected)
        }
    }

    /// How often the deadlines of callers are checked.
    private static let interval = Duration.milliseconds(50)

    private let state: Mutex<State>
    private let connectedWakeups = Semaphore()
    private let unconnectedWakeups = Semaphore()
    private let finished = Semaphore()
    private let count: Int
    private let waitTimeout: Duration
    private let limitsCalls: Bool
    private let metrics: DatabaseMetrics

    /// Starts the threads. Connections are opened when they are needed.
    init(
        connections count: Int,
        waitTimeout: Duration,
        limitsCalls: Bool,
        metrics: DatabaseMetrics,
        makeSession: @escaping @Sendable () -> Session
    ) throws(StorageFailure) {
        state = Mutex(State(queue: CallQueue(connections: count)))
        self.count = count
        self.waitTimeout = waitTimeout
        self.limitsCalls = limitsCalls
        self.metrics = metrics
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
        _ body: @escaping @Sendable (Session, ContinuousClock.Instant) throws -> Value
    ) async throws(Problem) -> Value {
        try await enqueue(within: timeout) { caller in WaitingCall(caller: caller, body: body) }
    }

    /// Books an appointment. Bookings of different salons that wait at the same time share a
    /// transaction.
    func book(
        _ booking: BookingRequest,
        as request: KeyedRequest?,
        by principal: Principal,
        check: @escaping @Sendable (Salon) throws -> BookingPlan
    ) async throws(Problem) -> StoredAppointment {
        try await enqueue(within: nil) { caller in
            PendingBooking(
                booking: booking,
                request: request,
                principal: principal,
                check: check,
                caller: caller
            )
        }
    }

    /// Runs `body` later, if not too many calls are waiting. No caller waits for it.
    func start(_ body: @escaping @Sendable (Session) -> Void) {
        _ = enqueue(BackgroundCall(deadline: .now + waitTimeout, body: body), nil)
    }

    /// Finishes the waiting calls and ends the threads. Later calls fail.
    func close() { close(count) }

    private func close(_ threads: Int) {
        let idle = state.withLock { state -> (connected: Int, unconnected: Int)? in
            if state.isClosed { return nil }
            state.isClosed = true
            return (state.idleConnected, state.idleUnconnected)
        }
        guard let idle else { return }
        signal(idle)
        for _ in 0..<threads { finished.wait() }
    }

    private func signal(_ threads: (connected: Int, unconnected: Int)) {
        for _ in 0..<threads.connected { connectedWakeups.signal() }
        for _ in 0..<threads.unconnected { unconnectedWakeups.signal() }
    }

    private func enqueue<Value: Sendable>(
        within timeout: Duration?,
        _ makeCall: (Caller<Value>) -> some PendingCall
    ) async throws(Problem) -> Value {
        let deadline = ContinuousClock.now + (timeout ?? waitTimeout)
        let outcome: Result<Value, Problem> = await withUnsafeContinuation { continuation in
            let caller = Caller(deadline: deadline, continuation)
            let call = makeCall(caller)
            if let failure = enqueue(call, caller) { call.fail(failure) }
        }
        return try outcome.get()
    }

    private func enqueue(
        _ call: any PendingCall,
        _ caller: (any TimedCaller)?
    ) -> StorageFailure? {
        typealias Result = (StorageFailure?, (connected: Int, unconnected: Int), startsTimer: Bool)
        let (failure, threads, startsTimer) = state.withLock { state -> Result in
            if state.isClosed {
                return (StorageFailure(.closed, "the store was closed"), (0, 0), false)
            }
            if state.queue.isFull {
                return (StorageFailure(.overloaded, "too many calls are waiting"), (0, 0), false)
            }
            state.queue.append(call)
            if let caller { state.callers.append(caller) }
            defer { state.hasTimer = state.hasTimer || caller != nil }
            return (nil, state.takeIdleThreads(1), caller != nil && !state.hasTimer)
        }
        signal(threads)
        if startsTimer { Task.detached { await self.runTimer() } }
        return failure
    }
}

// MARK: - Threads

extension ConnectionPool {
    /// What a thread does next.
    private enum Step {
        case work(CallQueue.Work)
        case connect
        case wait(Semaphore)
        case end
    }

    private func run(_ session: Session) {
        var backoff = Backoff()
        while true {
            switch nextStep(of: session) {
            case .end: return finished.signal()
            case .wait(let wakeups): wakeups.wait()
            case .connect: connect(session, &backoff)
            case .work(let work): run(work, session)
            }
        }
    }

    private func nextStep(of session: Session) -> Step {
        state.withLock { state in
            guard session.isConnected else {
                if !state.queue.isEmpty { return .connect }
                if state.isClosed { return .end }
                state.idleUnconnected += 1
                return .wait(unconnectedWakeups)
            }
            if let work = state.queue.next() {
                session.lockTimeout =
                    switch work {
                    case .locked: nil
                    case .call, .batch:
                        state.queue.hasLocked ? Session.shortLockTimeout : Session.usualLockTimeout
                    }
                return .work(work)
            }
            if state.isClosed { return .end }
            state.idleConnected += 1
            return .wait(connectedWakeups)
        }
    }

    private func connect(_ session: Session, _ backoff: inout Backoff) {
        do {
            try session.connect()
            state.withLock { $0.failure = nil }
            backoff = Backoff()
        } catch {
            let failure = error.failure
            let call = state.withLock { state in
                state.failure = failure
                return error.isTransient ? nil : state.queue.removeFirst()
            }
            if let call { return call.fail(failure) }
            _ = backoff.wait(until: .now + .seconds(1))
            // Without callers there is no timer, which removes what no one waits for.
            state.withLock { $0.queue.removeOver() }
        }
    }

    private func run(_ work: CallQueue.Work, _ session: Session) {
        switch work {
        case .call(let call):
            if !call.run(session) { state.withLock { $0.queue.appendLocked(call) } }
        case .locked(let call):
            let hasEnded = call.run(session)
            state.withLock { state in
                state.queue.endLocked()
                if !hasEnded { state.queue.appendLocked(call) }
            }
        case .batch(let batch): putBack(batch.run(session))
        }
    }

    /// Lets all threads run the calls, so that one that waits for a lock does not delay the others.
    private func putBack(_ calls: [any PendingCall]) {
        if calls.isEmpty { return }
        let threads = state.withLock { state in
            state.queue.putBack(calls)
            // This thread runs one of them.
            return state.takeIdleThreads(calls.count - 1)
        }
        signal(threads)
    }
}

// MARK: - Deadlines

extension ConnectionPool {
    private func runTimer() async {
        repeat { try? await Task.sleep(for: Self.interval) } while answerExpired()
    }

    /// Answers the callers whose deadlines have passed. Returns whether there are others.
    private func answerExpired() -> Bool {
        let now = ContinuousClock.now
        let (expired, hasOthers) = state.withLock { state in
            state.callers.removeAll { $0.isAnswered }
            let expired = state.callers.filter {
                $0.deadline <= now && (limitsCalls || !$0.hasBegun)
            }
            state.hasTimer = !state.callers.isEmpty
            return (expired, state.hasTimer)
        }
        if expired.isEmpty { return hasOthers }
        for caller in expired { caller.expire(delay) }
        state.withLock { $0.queue.removeOver() }
        return hasOthers
    }

    /// Why a call has no result in time.
    private func delay(hasBegun: Bool) -> StorageFailure {
        let (hasLocked, failure) = state.withLock { ($0.queue.hasLocked, $0.failure) }
        if hasLocked { return DatabaseError.locked }
        if hasBegun { return StorageFailure(.unreachable, "the server does not answer") }
        if metrics.openConnections > 0 {
            return StorageFailure(.overloaded, "all connections to the database are busy")
        }
        return failure ?? StorageFailure(.unreachable, Connection.missing)
    }
}
