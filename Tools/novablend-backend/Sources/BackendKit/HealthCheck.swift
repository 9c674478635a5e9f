import BookingStorage
import Synchronization
import SystemSupport

/// The check of the database, which is answered in time even if the database does not answer.
///
/// At most one check runs at a time. Requests that arrive while it runs wait for its result until
/// its timeout. After the timeout, requests fail at once until the check ends. So a database that
/// is blocked keeps at most one thread busy.
final class HealthCheck: Sendable {
    private typealias Outcome = Result<Void, StoreError>

    /// The check in progress; nil if no check is running. If the check takes longer than the timeout,
    /// this outcome is a failure.
    private let running = Mutex<Task<Outcome, Never>?>(nil)
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
        let outcome = running.withLock { running in
            let outcome = running ?? start()
            running = outcome
            return outcome
        }
        try await outcome.value.get()
    }

    private func start() -> Task<Outcome, Never> {
        let late = Outcome.failure(
            .unavailable(StorageFailure(.overloaded, "the database does not answer in time"))
        )
        let (outcomes, continuation) = AsyncStream<Outcome>.makeStream()
        let executor = ThreadExecutor()
        Task(executorPreference: executor) { [self] in
            let timer = Task.detached { [timeout] in
                if (try? await Task.sleep(for: timeout)) != nil { continuation.yield(late) }
            }
            let outcome: Outcome
            do throws(StoreError) { outcome = .success(try await check()) } catch {
                outcome = .failure(error)
            }
            timer.cancel()
            running.withLock { $0 = nil }
            continuation.yield(outcome)
        }
        // Runs on threads of its own, because other requests may keep the shared threads busy.
        return Task(executorPreference: executor) { await outcomes.first { _ in true } ?? late }
    }
}

/// Runs each part of a task on a thread of its own, so that a database that blocks it blocks nothing
/// else.
private final class ThreadExecutor: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedTaskExecutor()
        do {
            try SystemThread.start { [self] in
                withExtendedLifetime(self) { job.runSynchronously(on: executor) }
            }
        } catch {
            // The job cannot run here, because the caller may hold a lock that the job needs.
            globalConcurrentExecutor.enqueue(job)
        }
    }
}
