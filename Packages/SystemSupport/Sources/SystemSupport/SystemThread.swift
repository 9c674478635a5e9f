import Glibc

/// Starts threads for blocking work. Such work must not run on the threads of Swift's concurrency
/// runtime, which has only one thread per processor core.
public enum SystemThread {
    /// Starts a detached thread that runs `body`. Throws if the system cannot start a thread; `body`
    /// does not run then.
    ///
    /// SIGPIPE is blocked in the thread, so writing to a closed pipe or socket fails with `EPIPE`
    /// and does not end the process.
    public static func start(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
        let context = Unmanaged.passRetained(Context(body))
        var thread: pthread_t = 0
        let status = pthread_create(
            &thread,
            nil,
            { pointer in
                guard let pointer else { return nil }
                // Block the signal only in this thread, because the program decides about its other
                // threads.
                var signals = sigset_t()
                sigemptyset(&signals)
                sigaddset(&signals, SIGPIPE)
                pthread_sigmask(SIG_BLOCK, &signals, nil)
                Unmanaged<Context>.fromOpaque(pointer).takeRetainedValue().body()
                return nil
            },
            context.toOpaque()
        )
        guard status == 0 else {
            context.release()
            throw SystemError(code: status)
        }
        pthread_detach(thread)
    }

    private final class Context: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
}
