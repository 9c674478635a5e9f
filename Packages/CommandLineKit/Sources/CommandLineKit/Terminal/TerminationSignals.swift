import Glibc
import SystemSupport

/// Handles the signals that ask a process to end: SIGTERM, SIGINT, and SIGHUP. A server can reload with
/// SIGHUP instead.
///
/// A signal handler only writes a byte to a pipe; a thread reads it and does the rest. Blocking
/// the signals and calling `sigwait` would not work, because the concurrency runtime parks the main
/// thread with all signals unblocked.
public enum TerminationSignals {
    // Each descriptor is set once, before its handler is installed.
    private nonisolated(unsafe) static var writeFD: Int32 = -1
    private nonisolated(unsafe) static var hangUpFD: Int32 = -1

    private static var numbers: [Int32] {
        hangUpFD < 0 ? [SIGTERM, SIGINT, SIGHUP] : [SIGTERM, SIGINT]
    }

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

    /// Runs `action` on its own thread whenever SIGHUP arrives, which does not end the process from now
    /// on. Signals that arrive together may count as one. If SIGHUP was ignored when the process
    /// started, it stays ignored.
    ///
    /// Call this at most once in a process, and before ``onFirst(_:)``.
    ///
    /// - Parameter action: What SIGHUP does, such as opening log files again.
    public static func onHangUp(_ action: @escaping @Sendable () -> Void) {
        guard let (readFD, writeFD) = makePipe() else { return }
        do {
            try SystemThread.start { while waitForByte(readFD) { action() } }
        } catch {
            for end in [readFD, writeFD] { close(end) }
            return
        }
        hangUpFD = writeFD
        setUnlessIgnored(SIGHUP) { _ in TerminationSignals.writeByte(TerminationSignals.hangUpFD) }
    }

    /// Lets each signal write a byte to a pipe, and returns its other end; nil if there are no
    /// descriptors left.
    private static func installHandlers() -> Int32? {
        guard let (readFD, writeFD) = makePipe() else { return nil }
        self.writeFD = writeFD
        for number in numbers {
            setUnlessIgnored(number) { _ in
                TerminationSignals.writeByte(TerminationSignals.writeFD)
            }
        }
        return readFD
    }

    /// Runs `action` on a thread after the first byte. If the system cannot start a thread, signals
    /// have their default effect again.
    private static func startThread(_ readFD: Int32, _ action: @escaping @Sendable () -> Void) {
        do {
            try SystemThread.start {
                _ = waitForByte(readFD)
                for number in numbers { signal(number, SIG_DFL) }
                action()
            }
        } catch {
            for number in numbers { setUnlessIgnored(number, SIG_DFL) }
        }
    }

    private static func makePipe() -> (readFD: Int32, writeFD: Int32)? {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// Part of a signal handler, so it calls only what is safe there (signal-safety(7)).
    private static func writeByte(_ writeFD: Int32) {
        let savedError = errno
        var byte: UInt8 = 0
        _ = write(writeFD, &byte, 1)
        errno = savedError
    }

    /// Waits for a byte, and takes all that have arrived. Returns whether more can arrive.
    private static func waitForByte(_ readFD: Int32) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 64)
        while true {
            let count = read(readFD, &bytes, bytes.count)
            if count > 0 || (count < 0 && errno != EINTR) { return count > 0 }
        }
    }

    private static func setUnlessIgnored(_ number: Int32, _ handler: __sighandler_t?) {
        if isIgnoring(signal(number, handler)) { signal(number, SIG_IGN) }
    }

    private static func isIgnoring(_ handler: __sighandler_t?) -> Bool {
        unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
