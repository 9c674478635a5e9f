import Glibc

/// Lets one thread wait for another (POSIX).
final class Semaphore: Sendable {
    // sem_t is made to be used by several threads; it is freed only when nobody holds the object.
    private nonisolated(unsafe) let handle = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init() {
        sem_init(handle, 0, 0)
    }

    deinit {
        sem_destroy(handle)
        handle.deallocate()
    }

    /// Lets one wait return, now or later.
    func signal() {
        sem_post(handle)
    }

    /// Returns after a signal.
    func wait() {
        while sem_wait(handle) != 0, errno == EINTR {}
    }
}
