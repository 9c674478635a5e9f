import Glibc
import NovaBlendLinux
import SystemSupport

/// Reports the end of another process, without polling.
public enum ProcessWatch {
    /// Runs `action` once when `process` ends, or now if there is no such process. False if the system
    /// cannot watch it (Linux before 5.3).
    @discardableResult
    public static func onEnd(of process: Int32, _ action: @escaping @Sendable () -> Void) -> Bool {
        let descriptor = nb_pidfd_open(process)
        guard descriptor >= 0 else {
            let isGone = errno == ESRCH
            if isGone { action() }
            return isGone
        }
        return SystemThread.start {
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            while poll(&entry, 1, -1) < 0, errno == EINTR {}
            close(descriptor)
            action()
        }
    }

    /// Runs `action` when the process that started this one ends. There is none to wait for if that
    /// is the init process.
    @discardableResult
    public static func onEndOfParent(_ action: @escaping @Sendable () -> Void) -> Bool {
        let parent = getppid()
        guard parent > 1 else { return true }
        let isWatching = onEnd(of: parent, action)
        // It may have ended before it was watched, and a new process may have its id now.
        if getppid() != parent { action() }
        return isWatching
    }
}
