import Glibc
import Synchronization

/// Waits for the end of a child process, and sends it signals until then.
final class ProcessExit: Sendable {
    private let id: Int32
    private let isReaped = Mutex(false)
    private let status = Latch<ServerProcess.ExitStatus>()

    /// Watches the child process `id`, which only this object may wait for; nil if the process
    /// cannot be watched.
    init?(_ id: Int32) {
        self.id = id
        guard ProcessWatch.onExit(of: id, { [self] in reap() }) else { return nil }
    }

    /// Sends a signal to the process group that the process leads. Does nothing after its end.
    func send(_ signal: Int32) {
        // Send the signal inside the lock, because the id may be reused after `reap`.
        isReaped.withLock { isReaped in
            if !isReaped { kill(-id, signal) }
        }
    }

    /// Waits until the process ends, the time is up, or the task is cancelled.
    func wait(atMost limit: Duration) async {
        await withTaskGroup { group in
            group.addTask { [status] in _ = await status.valueUnlessCancelled() }
            group.addTask { try? await Task.sleep(for: limit) }
            await group.next()
            group.cancelAll()
        }
    }

    /// Waits until the process ends, even if the task is cancelled.
    var value: ServerProcess.ExitStatus {
        get async { await status.value }
    }

    private func reap() {
        var code: Int32 = 0
        isReaped.withLock { isReaped in
            while waitpid(id, &code, 0) < 0, errno == EINTR {}
            isReaped = true
        }
        let signal = code & 0x7F
        status.set(signal == 0 ? .exited(code: code >> 8 & 0xFF) : .signaled(signal))
    }
}
