import Glibc
import NovaBlendLinux
import SystemSupport

/// Reports the exit of another process, without polling.
enum ProcessWatch {
    /// Runs `action` once when `process` exits, or immediately if there is no such process. Returns
    /// false if the process cannot be watched, for example on Linux before 5.3.
    @discardableResult
    static func onExit(of process: Int32, _ action: @escaping @Sendable () -> Void) -> Bool {
        let descriptor = nb_pidfd_open(process)
        guard descriptor >= 0 else {
            let hasExited = errno == ESRCH
            if hasExited { action() }
            return hasExited
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
