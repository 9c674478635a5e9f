import Glibc
import Persistence
import PersistenceTestSupport
import Synchronization
import SystemSupport
import Testing

@Suite("An asynchronous store", .timeLimit(.minutes(10)))
struct AsyncStoreTests {
    /// Counts calls that run at the same time.
    private final class RunningCalls: Sendable {
        private let counts = Mutex((now: 0, most: 0))

        var most: Int { counts.withLock(\.most) }

        /// Returns how many calls run now.
        func begin() -> Int {
            counts.withLock { counts in
                counts.now += 1
                counts.most = max(counts.most, counts.now)
                return counts.now
            }
        }

        func end() { counts.withLock { $0.now -= 1 } }
    }

    @Test("returns the result of a function, or throws its error")
    func results() async throws {
        let store = AsyncStore(InMemorySnapshotStore())
        let names = try await store.perform { store in
            try store.replace("a", with: Snapshot(payload: [1]))
            return try store.names()
        }
        #expect(names == ["a"])
        await #expect(throws: StoreError(.load, path: "b", .nameCollision)) {
            try await store.perform { _ in
                throw StoreError(.load, path: "b", .nameCollision)
            }
        }
    }

    @Test("runs as many calls as it has threads at the same time, and no more")
    func concurrency() async throws {
        let store = AsyncStore(InMemorySnapshotStore(), maximumThreads: 3)
        let running = RunningCalls()
        let (allRunning, mayEnd) = (Semaphore(), Semaphore())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try await store.perform { _ in
                        if running.begin() == 3 { allRunning.signal() }
                        mayEnd.wait()
                        running.end()
                    }
                }
            }
            group.addTask {
                try await AsyncStore(InMemorySnapshotStore()).perform { _ in
                    allRunning.wait()
                }
                for _ in 0..<8 { mayEnd.signal() }
            }
            try await group.waitForAll()
        }
        #expect(running.most == 3)
    }

    @Test("a cancelled call that has not started does nothing; one that has started ends normally")
    func cancellation() async throws {
        let snapshots = InMemorySnapshotStore()
        let store = AsyncStore(snapshots, maximumThreads: 1)
        let (started, mayEnd) = (Semaphore(), Semaphore())
        let first = Task {
            try await store.perform { snapshots in
                started.signal()
                mayEnd.wait()
                try snapshots.replace("first", with: Snapshot(payload: []))
            }
        }
        try await AsyncStore(snapshots).perform { _ in started.wait() }
        let second = Task {
            try await store.perform { try $0.replace("second", with: Snapshot(payload: [])) }
        }
        first.cancel()
        second.cancel()
        mayEnd.signal()
        try await first.value
        await #expect(throws: CancellationError.self) { try await second.value }
        #expect(try snapshots.names() == ["first"])
    }

    @Test("a call that blocks does not occupy a thread of Swift's concurrency runtime")
    func blocking() async throws {
        let store = AsyncStore(InMemorySnapshotStore(), maximumThreads: 64)
        let mayEnd = Semaphore()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<64 { group.addTask { try await store.perform { _ in mayEnd.wait() } } }
            group.addTask { for _ in 0..<64 { mayEnd.signal() } }
            try await group.waitForAll()
        }
    }
}
