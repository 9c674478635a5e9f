import Glibc

/// A POSIX semaphore (`sem_overview(7)`): lets one thread wait for another.
public final class Semaphore: Sendable {
    // sem_t is thread-safe. It is freed with the last reference to this object.
    private nonisolated(unsafe) let handle = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    /// Creates a semaphore on which ``wait()`` blocks.
    public init() {
        sem_init(handle, 0, 0)
    }

    deinit {
        sem_destroy(handle)
        handle.deallocate()
    }

    /// Lets one current or future ``wait()`` return.
    public func signal() {
        sem_post(handle)
    }

    /// Waits for one ``signal()``.
    public func wait() {
        while sem_wait(handle) != 0, errno == EINTR {}
    }

    /// Waits for one ``signal()``, but at most for a time.
    ///
    /// - Parameter timeout: How long to wait.
    public func wait(atMost timeout: Duration) {
        var deadline = timespec()
        clock_gettime(CLOCK_REALTIME, &deadline)
        let (seconds, attoseconds) = timeout.components
        let nanoseconds = deadline.tv_nsec + Int(attoseconds / 1_000_000_000)
        deadline.tv_sec += Int(seconds) + nanoseconds / 1_000_000_000
        deadline.tv_nsec = nanoseconds % 1_000_000_000
        while sem_timedwait(handle, &deadline) != 0, errno == EINTR {}
    }
}
