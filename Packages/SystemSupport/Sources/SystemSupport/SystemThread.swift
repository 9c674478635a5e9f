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

    /// Throws if the system cannot start `count` threads that run at the same time, for example because
    /// of `ulimit -u`. The threads end before this returns.
    public static func require(_ count: Int) throws(SystemError) {
        let gate = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        defer { gate.deallocate() }
        pthread_mutex_init(gate, nil)
        pthread_mutex_lock(gate)
        var (threads, status) = ([pthread_t](), Int32(0))
        while threads.count < count, status == 0 {
            var thread: pthread_t = 0
            status = pthread_create(
                &thread,
                nil,
                { gate in
                    // Waits until all threads have been started.
                    guard let gate = gate?.assumingMemoryBound(to: pthread_mutex_t.self) else {
                        return nil
                    }
                    pthread_mutex_lock(gate)
                    pthread_mutex_unlock(gate)
                    return nil
                },
                gate
            )
            if status == 0 { threads.append(thread) }
        }
        pthread_mutex_unlock(gate)
        for thread in threads { pthread_join(thread, nil) }
        pthread_mutex_destroy(gate)
        if status != 0 { throw SystemError(code: status) }
    }

    private final class Context: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
}
