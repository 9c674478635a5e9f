import Glibc

/// A POSIX semaphore (`sem_overview(7)`), with which one thread waits for another.
final class Semaphore: Sendable {
    // Threads may share a sem_t. It is freed with the last reference to this object.
    private nonisolated(unsafe) let handle = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init() {
        sem_init(handle, 0, 0)
    }

    deinit {
        sem_destroy(handle)
        handle.deallocate()
    }

    /// Lets one ``wait()`` return, now or later.
    func signal() {
        sem_post(handle)
    }

    /// Returns after one ``signal()``.
    func wait() {
        while sem_wait(handle) != 0, errno == EINTR {}
    }
}
