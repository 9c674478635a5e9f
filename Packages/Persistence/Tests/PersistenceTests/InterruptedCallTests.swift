import Foundation
import Synchronization
import SystemTestSupport
import Testing

@testable import Persistence

@Suite("A system call that a signal interrupts", .timeLimit(.minutes(10)))
struct InterruptedCallTests {
    private static let handled = Atomic(false)

    @Test("is repeated")
    func repeated() async throws {
        let directory = try TemporaryDirectory()
        try directory.write([], to: ".lock")
        let file = directory.file(".lock")
        let held = open(file, O_RDWR)
        try #require(flock(held, LOCK_EX) == 0)
        let reason = await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: Self.lock(directory, held)) }
        }
        #expect(reason == nil)
    }

    /// Installs a signal handler that does not restart interrupted system calls, and unblocks the
    /// signal on the calling thread.
    private static func handleSignal() {
        _ = handled.load(ordering: .relaxed)
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { _ in
            InterruptedCallTests.handled.store(true, ordering: .relaxed)
        }
        sigaction(SIGUSR2, &action, nil)
        // Threads inherit the signal mask of the runtime's threads, which block all signals.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGUSR2)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    /// Waits for the lock while another thread first interrupts this one and then releases the
    /// lock.
    private static func lock(_ directory: TemporaryDirectory, _ held: Int32) -> StoreError.Reason? {
        handleSignal()
        let thread = pthread_self()
        let link = "/proc/thread-self"
        let name = try? FileManager.default.destinationOfSymbolicLink(atPath: link)
        Thread.detachNewThread {
            while !isAsleep("/proc/\(name ?? "")/stat") { sched_yield() }
            pthread_kill(thread, SIGUSR2)
            while !handled.load(ordering: .relaxed) { sched_yield() }
            close(held)
        }
        do {
            try FileSnapshotStore(directory: directory.path).update("a") { _ in nil }
            return nil
        } catch {
            return error.reason
        }
    }

    /// Whether the thread with the given `stat` file is sleeping. In the file, the state follows
    /// the name, which is in parentheses; `S` means that the thread sleeps.
    private static func isAsleep(_ path: String) -> Bool {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return true }
        return text.split(separator: ")").last?.hasPrefix(" S") ?? true
    }
}
