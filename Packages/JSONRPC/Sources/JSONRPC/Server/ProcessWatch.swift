import Glibc
import NovaBlendLinux

/// Tells when another process has ended, without ever looking.
public enum ProcessWatch {
    /// Runs `action`, once, when `process` ends, or now when there is no such process. False when
    /// the system cannot tell (Linux before 5.3).
    @discardableResult
    public static func onEnd(of process: Int32, _ action: @escaping @Sendable () -> Void) -> Bool {
        let descriptor = nb_pidfd_open(process)
        guard descriptor >= 0 else {
            let isGone = errno == ESRCH
            if isGone { action() }
            return isGone
        }
        return OSThread.start {
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            while poll(&entry, 1, -1) < 0, errno == EINTR {}
            close(descriptor)
            action()
        }
    }

    /// Runs `action` when the process that started this one ends. One that was started by the
    /// system itself, or adopted by it, has none to wait for.
    @discardableResult
    public static func onEndOfParent(_ action: @escaping @Sendable () -> Void) -> Bool {
        let parent = getppid()
        guard parent > 1 else { return true }
        let isWatching = onEnd(of: parent, action)
        // It may have ended before it was watched, and its number may be another's by now.
        if getppid() != parent { action() }
        return isWatching
    }
}
