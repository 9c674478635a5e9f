import Glibc
import Synchronization
import SystemSupport
import Testing

@Suite struct SystemThreadTests {
    @Test func `A thread runs its body, and SIGPIPE is blocked only in that thread`() throws {
        #expect(try ThreadResult { Self.isBrokenPipeBlocked }.value)
        #expect(!Self.isBrokenPipeBlocked)
    }

    @Test func `A thread is detached, so that the system frees it when it ends`() throws {
        let running = RunningThread()
        try SystemThread.start {
            running.id.store(pthread_self(), ordering: .releasing)
            try? wait { running.mayEnd.load(ordering: .acquiring) }
        }
        try wait { running.id.load(ordering: .acquiring) != 0 }
        #expect(
            try detachState(of: running.id.load(ordering: .acquiring)) == PTHREAD_CREATE_DETACHED
        )
        running.mayEnd.store(true, ordering: .releasing)
    }

    @Test func `A thread that cannot be started is reported, and its body is released`() async {
        // In a separate process, because this changes the default stack size of the whole process.
        await #expect(processExitsWith: .success) {
            final class Resource: Sendable {}
            weak var released: Resource?
            do {
                let resource = Resource()
                released = resource
                try withTooLargeStacks {
                    #expect(throws: SystemError(code: EAGAIN)) {
                        try SystemThread.start { withExtendedLifetime(resource) {} }
                    }
                }
            }
            #expect(released == nil)
        }
    }

    @Test func `Threads that can be started are no error, and have ended afterwards`() throws {
        for count in [0, 1, 5] { try SystemThread.require(count) }
    }

    @Test func `A thread that cannot be started is reported before it is needed`() async {
        await #expect(processExitsWith: .success) {
            try withTooLargeStacks {
                #expect(throws: SystemError(code: EAGAIN)) { try SystemThread.require(1) }
                #expect(throws: Never.self) { try SystemThread.require(0) }
            }
        }
    }

    @Test func `The result of blocking work is returned to the task that waits for it`() async {
        #expect(await SystemThread.result { 7 } == 7)
    }

    @Test func `A task that is cancelled before or during blocking work does not wait for it`()
        async throws
    {
        let pipe = Pipe()
        let started = AsyncStream.makeStream(of: Void.self)
        let work = Task {
            await SystemThread.result {
                started.continuation.yield()
                return pipe.read(1)
            }
        }
        for await _ in started.stream { break }
        work.cancel()
        #expect(await work.value == nil)
        let late = Task {
            while !Task.isCancelled { await Task.yield() }
            return await SystemThread.result { pipe.read(1) }
        }
        late.cancel()
        #expect(await late.value == nil)
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

/// Whether a thread is detached. Trying to join it would show the same, but the sanitizers end a process
/// that does.
private func detachState(of thread: pthread_t) throws -> Int {
    let getAttributes: (@convention(c) (pthread_t, UnsafeMutablePointer<pthread_attr_t>) -> Int32) =
        try function("pthread_getattr_np")
    var (attributes, state) = (pthread_attr_t(), Int32(-1))
    try #require(getAttributes(thread, &attributes) == 0)
    defer { pthread_attr_destroy(&attributes) }
    try #require(pthread_attr_getdetachstate(&attributes, &state) == 0)
    return Int(state)
}

/// Runs `body` while a new thread would get a stack that exceeds the address space.
private func withTooLargeStacks(_ body: () -> Void) throws {
    let setDefaults: (@convention(c) (UnsafePointer<pthread_attr_t>) -> Int32) =
        try function("pthread_setattr_default_np")
    var attributes = pthread_attr_t()
    try #require(pthread_attr_init(&attributes) == 0)
    try #require(pthread_attr_setstacksize(&attributes, 1 << 47) == 0)
    try #require(setDefaults(&attributes) == 0)
    body()
}

/// A function of the C library that Swift does not import.
private func function<Function>(_ name: String) throws -> Function {
    unsafeBitCast(try #require(dlsym(nil, name)), to: Function.self)
}
