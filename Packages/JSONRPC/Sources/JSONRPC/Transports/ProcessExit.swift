import Glibc
import Synchronization

/// Waits for the end of a child process, and sends it signals until then.
final class ProcessExit: Sendable {
    private enum State {
        case running
        case ended(ServerProcess.ExitStatus)
    }

    private let id: Int32
    private let state = Mutex(State.running)
    private let hasEnded = Latch<Void>()

    /// Watches the child `id`, which only this object may wait for. Nil if it cannot be watched.
    init?(_ id: Int32) {
        self.id = id
        guard ProcessWatch.onExit(of: id, { [self] in reap() }) else { return nil }
    }

    /// Sends a signal to the process group that the process leads. Does nothing after its end.
    func send(_ signal: Int32) {
        // Inside the lock, because the id may be reused after `reap`.
        state.withLock { state in
            if case .running = state { kill(-id, signal) }
        }
    }

    /// Waits until the process ends, the time is up, or the task is cancelled.
    func wait(atMost limit: Duration) async {
        await withTaskGroup { group in
            group.addTask { [hasEnded] in _ = await hasEnded.valueUnlessCancelled() }
            group.addTask { try? await Task.sleep(for: limit) }
            await group.next()
            group.cancelAll()
        }
    }

    /// Waits until the process ends, even if the task is cancelled.
    func status() async -> ServerProcess.ExitStatus {
        await hasEnded.value
        guard case .ended(let status) = state.withLock(\.self) else { return .signaled(SIGKILL) }
        return status
    }

    private func reap() {
        state.withLock { state in
            var status: Int32 = 0
            while waitpid(id, &status, 0) < 0, errno == EINTR {}
            let signal = status & 0x7F
            state = .ended(signal == 0 ? .exited(code: status >> 8 & 0xFF) : .signaled(signal))
        }
        hasEnded.set()
    }
}
