import BookingStorage
import Contract
import JSON
import Synchronization
import SystemSupport

/// The check of the database, which is answered in time even if the database does not answer.
///
/// At most one check runs at a time. Requests that arrive while it runs wait for its result until
/// its timeout. After the timeout, requests fail at once until the check ends. So a database that
/// is blocked keeps at most one thread busy.
final class HealthCheck: Sendable {
    private typealias Outcome = Result<Void, Problem>

    /// The check in progress; nil if no check is running. If the check takes longer than the timeout,
    /// this outcome is a failure.
    private let running = Mutex<Task<Outcome, Never>?>(nil)
    private let timeout: Duration
    private let check: @Sendable () async throws(Problem) -> Void

    /// Creates the check.
    ///
    /// - Parameter timeout: How long a request waits: by default somewhat less than the second after
    ///   which a proxy gives up.
    init(
        timeout: Duration = .milliseconds(900),
        _ check: @escaping @Sendable () async throws(Problem) -> Void
    ) {
        self.timeout = timeout
        self.check = check
    }

    /// Throws `unavailable` if the check fails, or has no result in time.
    func run() async throws(Problem) {
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
            do {
                outcome = .success(try await check())
            } catch {
                outcome = .failure(Problem(error))
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

/// Tells operators about what does not prevent that the backend serves, but will cause trouble.
final class StoreWatch: Sendable {
    /// A reader that has kept the log from shrinking for this long is reported.
    static let longestRead = 60

    private let task: Task<Void, Never>

    /// Starts to look at the status of a store again and again, and logs when a warning begins and
    /// ends.
    init(
        _ store: any BookingStore,
        interval: Duration = .seconds(10),
        log: @escaping @Sendable (LogEntry) -> Void
    ) {
        task = Task.detached {
            var wasBlocked = false
            while !Task.isCancelled {
                let warning = Self.warnings(about: await store.status()).first
                if let warning, !wasBlocked { log(.message(warning, .warning)) }
                if warning == nil, wasBlocked {
                    log(.message("the write-ahead log of the database can shrink again", .info))
                }
                wasBlocked = warning != nil
                try? await Task.sleep(for: interval)
            }
        }
    }

    /// Ends the task.
    func cancel() { task.cancel() }

    private static func warnings(about status: StoreStatus) -> [String] {
        guard let log = status.log, log.blockedSeconds >= longestRead else { return [] }
        let megabytes = log.bytes / 1_000_000
        return [
            "a program has been reading the database for \(log.blockedSeconds) s without a pause, so "
                + "its write-ahead log, which has \(megabytes) MB, cannot shrink; end that program"
        ]
    }

    static let schema = ObjectSchema([
        .init("status", .string(in: ["ok"])),
        .optional(
            "warnings",
            .array(of: .string),
            "What does not prevent that requests are served, but needs attention."
        ),
        .optional("lastBackup", .string, "When the last good backup was made, in UTC."),
        .optional("backupAgeSeconds", .integer, "How long ago that was."),
    ])

    /// The body of a response that reports that the store can be used.
    static func body(for status: StoreStatus) -> [UInt8] {
        ObjectFragment { writer in
            writer.member("status", "ok")
            let warnings = warnings(about: status)
            if !warnings.isEmpty { writer.member("warnings", warnings) }
            writer.member("lastBackup", status.backups?.last.map(ISO8601.formatUTC))
            writer.member("backupAgeSeconds", status.backups?.ageSeconds)
        }.fragment.bytes
    }
}
