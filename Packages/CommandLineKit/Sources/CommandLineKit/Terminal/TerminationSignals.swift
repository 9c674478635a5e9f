import Glibc
import SystemSupport

/// Handles the signals that ask a process to end: SIGTERM, SIGINT, and SIGHUP.
///
/// The signal handler only writes a byte to a pipe; a thread reads it and does the rest. Blocking
/// the signals and calling `sigwait` would not work, because the concurrency runtime parks the main
/// thread with all signals unblocked.
public enum TerminationSignals {
    private static let numbers = [SIGTERM, SIGINT, SIGHUP]
    // The descriptor is set once, before a handler is installed.
    private nonisolated(unsafe) static var writeFD: Int32 = -1

    /// Runs `work`, and cancels its task when the first signal arrives; otherwise like
    /// ``onFirst(_:)``, which must not be called in the same process. Ignores SIGPIPE, so that
    /// `work` can still clean up after the reader of the output pipe has closed it.
    public static func cancelling<Value: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        signal(SIGPIPE, SIG_IGN)
        // Install the handlers before the task starts: as soon as it runs, a signal must cancel it
        // instead of ending the process.
        let readFD = installHandlers()
        let task = Task { () -> Result<Value, Failure> in
            do throws(Failure) {
                return .success(try await work())
            } catch {
                return .failure(error)
            }
        }
        if let readFD { startThread(readFD) { task.cancel() } }
        return try await task.value.get()
    }

    /// Runs `action` on its own thread when the first signal arrives. The second signal ends the
    /// process. A signal that was ignored when the process started stays ignored, so that nohup(1)
    /// works.
    ///
    /// Call this at most once in a process.
    public static func onFirst(_ action: @escaping @Sendable () -> Void) {
        if let readFD = installHandlers() { startThread(readFD, action) }
    }

    /// Lets each signal write a byte to a pipe, and returns its other end; nil if there are no
    /// descriptors left.
    private static func installHandlers() -> Int32? {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        writeFD = ends[1]
        setUnlessIgnored { _ in
            let savedError = errno
            var byte: UInt8 = 0
            _ = write(TerminationSignals.writeFD, &byte, 1)
            errno = savedError
        }
        return ends[0]
    }

    /// Runs `action` on a thread after the first byte. If the system cannot start a thread, signals
    /// have their default effect again.
    private static func startThread(_ readFD: Int32, _ action: @escaping @Sendable () -> Void) {
        do {
            try SystemThread.start {
                var byte: UInt8 = 0
                while read(readFD, &byte, 1) < 0, errno == EINTR {}
                for number in numbers { signal(number, SIG_DFL) }
                action()
            }
        } catch {
            setUnlessIgnored(SIG_DFL)
        }
    }

    private static func setUnlessIgnored(_ handler: __sighandler_t?) {
        for number in numbers where isIgnoring(signal(number, handler)) {
            signal(number, SIG_IGN)
        }
    }

    private static func isIgnoring(_ handler: __sighandler_t?) -> Bool {
        unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
