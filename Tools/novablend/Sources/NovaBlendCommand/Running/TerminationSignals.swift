import Glibc

/// The signals that ask a process to end: a handler only writes a byte, a thread does the rest.
///
/// They cannot be held back and waited for: the runtime parks the main thread with every signal
/// let through.
enum TerminationSignals {
    private static let numbers = [SIGTERM, SIGINT, SIGHUP]
    // Set before a handler is installed, and never again.
    private nonisolated(unsafe) static var bell: Int32 = -1

    /// Runs `action` when the first of them arrives; the second ends the process as ever. One that
    /// was ignored when we were started stays ignored, as `nohup` wants it.
    static func onArrival(_ action: @escaping @Sendable () -> Void) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        bell = ends[1]
        guard startListener(Listener(door: ends[0], action: action)) else { return }
        for number in numbers {
            let earlier = signal(number) { _ in
                let kept = errno
                var byte: UInt8 = 0
                _ = write(TerminationSignals.bell, &byte, 1)
                errno = kept
            }
            if isIgnoring(earlier) { signal(number, SIG_IGN) }
        }
    }

    private static func isIgnoring(_ handler: __sighandler_t?) -> Bool {
        unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    private static func startListener(_ listener: Listener) -> Bool {
        let passed = Unmanaged.passRetained(listener)
        var thread: pthread_t = 0
        let code = pthread_create(
            &thread,
            nil,
            { context in
                guard let context else { return nil }
                Unmanaged<Listener>.fromOpaque(context).takeRetainedValue().run()
                return nil
            },
            passed.toOpaque()
        )
        if code == 0 { pthread_detach(thread) } else { passed.release() }
        return code == 0
    }

    private final class Listener: Sendable {
        private let door: Int32
        private let action: @Sendable () -> Void

        init(door: Int32, action: @escaping @Sendable () -> Void) {
            self.door = door
            self.action = action
        }

        func run() {
            var byte: UInt8 = 0
            while read(door, &byte, 1) < 0, errno == EINTR {}
            for number in TerminationSignals.numbers { signal(number, SIG_DFL) }
            action()
        }
    }
}
