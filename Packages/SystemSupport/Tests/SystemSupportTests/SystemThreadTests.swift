import Glibc
import Synchronization
import SystemSupport
import Testing

@Suite struct SystemThreadTests {
    @Test func `A thread runs its body, and SIGPIPE is blocked only in that thread`() {
        #expect(ThreadResult { Self.isBrokenPipeBlocked }.value)
        #expect(!Self.isBrokenPipeBlocked)
    }

    @Test func `A thread is detached, so that the system frees it when it ends`() throws {
        let running = RunningThread()
        let isStarted = SystemThread.start {
            running.id.store(pthread_self(), ordering: .releasing)
            try? wait { running.mayEnd.load(ordering: .acquiring) }
        }
        try #require(isStarted)
        try wait { running.id.load(ordering: .acquiring) != 0 }
        // For a joinable thread, this would wait for its end.
        #expect(pthread_join(running.id.load(ordering: .acquiring), nil) == EINVAL)
        running.mayEnd.store(true, ordering: .releasing)
    }

    @Test func `A thread that cannot be started is reported, and its body is released`() async {
        // In a separate process, because this limits the memory of the whole process.
        await #expect(processExitsWith: .success) {
            final class Resource: Sendable {}
            weak var released: Resource?
            var isStarted = true
            do {
                let resource = Resource()
                released = resource
                try withoutMemory {
                    isStarted = SystemThread.start { withExtendedLifetime(resource) {} }
                }
            }
            #expect(!isStarted)
            #expect(released == nil)
        }
    }

    private static var isBrokenPipeBlocked: Bool {
        var signals = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &signals)
        return sigismember(&signals, SIGPIPE) == 1
    }
}

private final class RunningThread: Sendable {
    let id = Atomic<pthread_t>(0)
    let mayEnd = Atomic(false)
}

/// Runs `body` while this process cannot allocate memory for the stack of a thread.
private func withoutMemory(_ body: () -> Void) throws {
    let resource = __rlimit_resource_t(RLIMIT_AS.rawValue)
    var original = rlimit()
    try #require(getrlimit(resource, &original) == 0)
    var none = rlimit(rlim_cur: 0, rlim_max: original.rlim_max)
    try #require(setrlimit(resource, &none) == 0)
    body()
    try #require(setrlimit(resource, &original) == 0)
}
