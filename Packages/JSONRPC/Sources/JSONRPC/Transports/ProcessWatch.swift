import Glibc
import NovaBlendLinux
import SystemSupport

/// Reports the exit of another process, without polling.
enum ProcessWatch {
    /// Runs `action` once when `process` exits. Returns false if the process cannot be watched: on Linux
    /// before 5.3, or if there is no such process. The latter does not mean that it has exited: a process
    /// outside of the container of this one has an id, but cannot be seen.
    ///
    /// A process that has exited, but whose parent has not noticed, counts as watched, unless `ifRunning`
    /// is true.
    @discardableResult
    static func onExit(
        of process: Int32,
        ifRunning: Bool = false,
        _ action: @escaping @Sendable () -> Void
    ) -> Bool {
        let descriptor = nb_pidfd_open(process)
        guard descriptor >= 0 else { return false }
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        if ifRunning, poll(&entry, 1, 0) > 0 {
            close(descriptor)
            return false
        }
        do {
            try SystemThread.start {
                var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                while poll(&entry, 1, -1) < 0, errno == EINTR {}
                close(descriptor)
                action()
            }
            return true
        } catch {
            close(descriptor)
            return false
        }
    }

    /// Runs `action` when the parent process exits. Does nothing if the system cannot watch processes,
    /// or if the parent is the init process, which never exits.
    static func onParentExit(_ action: @escaping @Sendable () -> Void) {
        let parent = getppid()
        guard parent > 1 else { return }
        onExit(of: parent, action)
        // The parent may have exited before the watch began, and its id may have been reused.
        if getppid() != parent { action() }
    }
}
