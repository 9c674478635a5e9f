import Glibc
import SystemSupport
import Testing

@Suite struct SystemThreadTests {
    @Test func `A thread runs its work, and SIGPIPE is blocked only there`() {
        #expect(ThreadResult { Self.isBrokenPipeBlocked }.value)
        #expect(!Self.isBrokenPipeBlocked)
    }

    private static var isBrokenPipeBlocked: Bool {
        var signals = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &signals)
        return sigismember(&signals, SIGPIPE) == 1
    }
}
