import BookingStorage
import Synchronization
import SystemSupport

/// The check of the database, which is answered in time even if the database does not answer.
///
/// At most one check runs at a time. Requests that arrive meanwhile wait for its result, but not
/// longer than the timeout, and fail at once after it. So a database that is blocked keeps at most one
/// thread busy.
final class HealthCheck: Sendable {
    private typealias Outcome = Result<Void, StoreError>
    private typealias Continuation = UnsafeContinuation<Outcome, Never>

    private enum State {
        case idle
        /// A check runs, which has this number.
        case running(UInt64, waiting: [Continuation])
        /// This check has been running for longer than the timeout.
        case late(UInt64)
    }

    private enum Start {
        case check(UInt64)
        case failure
    }

    private let state = Mutex((current: State.idle, count: UInt64(0)))
    private let timeout: Duration
    private let check: @Sendable () async throws(StoreError) -> Void

    /// Creates the check.
    ///
    /// - Parameter timeout: How long a request waits: by default somewhat less than the second after
    ///   which a proxy gives up.
    init(
        timeout: Duration = .milliseconds(900),
        _ check: @escaping @Sendable () async throws(StoreError) -> Void
    ) {
        self.timeout = timeout
        self.check = check
    }

    /// Throws `unavailable` if the check fails, or has no result in time.
    func run() async throws(StoreError) {
        let outcome = await withUnsafeContinuation { (continuation: Continuation) in
            let start = state.withLock { state -> Start? in
                switch state.current {
                case .idle:
                    state.count += 1
                    state.current = .running(state.count, waiting: [continuation])
                    return .check(state.count)
                case .running(let number, let waiting):
                    state.current = .running(number, waiting: waiting + [continuation])
                    return nil
                case .late: return .failure
                }
            }
            switch start {
            case .check(let number): self.start(number)
            case .failure: continuation.resume(returning: Self.late)
            case nil: break
            }
        }
        try outcome.get()
    }

    private static let late = Outcome.failure(
        .unavailable(StorageFailure(.overloaded, "the database does not answer in time"))
    )

    private func start(_ number: UInt64) {
        Task(executorPreference: ThreadExecutor()) { [self] in
            let timer = Task.detached { [self] in
                if (try? await Task.sleep(for: timeout)) != nil {
                    answer(number, Self.late, then: .late(number))
                }
            }
            let outcome: Outcome
            do throws(StoreError) { outcome = .success(try await check()) } catch {
                outcome = .failure(error)
            }
            timer.cancel()
            answer(number, outcome, then: .idle)
        }
    }

    /// Answers the requests that wait for a check. Does nothing if the check has ended.
    private func answer(_ number: UInt64, _ outcome: Outcome, then next: State) {
        let waiting = state.withLock { state -> [Continuation] in
            switch state.current {
            case .running(number, let waiting):
                state.current = next
                return waiting
            case .late(number):
                state.current = next
                return []
            default: return []
            }
        }
        for continuation in waiting { continuation.resume(returning: outcome) }
    }
}

/// Runs each part of a task on a thread of its own, so that a database that blocks it blocks nothing
/// else.
private final class ThreadExecutor: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedTaskExecutor()
        let hasThread = SystemThread.start { [self] in
            withExtendedLifetime(self) { job.runSynchronously(on: executor) }
        }
        if !hasThread { job.runSynchronously(on: executor) }
    }
}
