import Glibc
import Synchronization

/// A signal that interrupts the system call of a thread.
enum Interruption {
    private static let handled = Atomic(0)

    /// Installs a handler without SA_RESTART, and unblocks the signal on the calling thread.
    static func handleSignal() {
        // New threads inherit the signal mask of the runtime's threads, which block all signals.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGUSR2)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        // Initializes the static counter, which a signal handler must not do.
        _ = handled.load(ordering: .relaxed)
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { _ in
            Interruption.handled.wrappingAdd(1, ordering: .relaxed)
        }
        sigaction(SIGUSR2, &action, nil)
    }

    /// Interrupts `thread` and waits until it has handled the signal.
    static func interrupt(_ thread: pthread_t) {
        let before = handled.load(ordering: .relaxed)
        pthread_kill(thread, SIGUSR2)
        while handled.load(ordering: .relaxed) == before { sched_yield() }
    }
}
