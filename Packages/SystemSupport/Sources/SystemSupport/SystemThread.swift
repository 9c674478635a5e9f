import Glibc

/// A thread for work that blocks. Blocking work must not occupy a thread of Swift's concurrency
/// runtime, which has only as many as there are processors.
public enum SystemThread {
    /// Starts a detached thread that runs `body` and ends; false if the system cannot start one.
    ///
    /// SIGPIPE is blocked in the thread: writing to a closed pipe or socket fails with `EPIPE` and
    /// does not end the process.
    public static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        let context = Unmanaged.passRetained(Context(body))
        var thread: pthread_t = 0
        let status = pthread_create(
            &thread,
            nil,
            { pointer in
                guard let pointer else { return nil }
                SystemThread.blockBrokenPipeSignal()
                Unmanaged<Context>.fromOpaque(pointer).takeRetainedValue().body()
                return nil
            },
            context.toOpaque()
        )
        guard status == 0 else {
            context.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    private final class Context: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    // Only in this thread: the program decides what the signal does in its own threads.
    private static func blockBrokenPipeSignal() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}
