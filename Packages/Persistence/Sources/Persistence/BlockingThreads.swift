import Synchronization
import SystemSupport

/// Runs blocking calls of tasks on threads of its own. A thread ends when there are no more calls.
final class BlockingThreads: Sendable {
    private typealias Call = @Sendable () -> Void

    /// The calls that wait for a thread are in two arrays, because removing the first of many
    /// elements of an array takes long.
    private struct State {
        /// The calls that have waited longest, newest first.
        var earlier: [Call] = []
        /// The calls that came after those in `earlier`, oldest first.
        var later: [Call] = []
        var threads = 0

        /// Removes and returns the call that has waited longest; nil if no call waits.
        mutating func removeFirst() -> Call? {
            if earlier.isEmpty {
                earlier = later.reversed()
                later = []
            }
            return earlier.popLast()
        }
    }

    private let state = Mutex(State())
    private let maximum: Int

    init(maximum: Int) { self.maximum = max(1, maximum) }

    /// Runs `body` on a thread and returns its result. Throws `CancellationError` instead if the
    /// task has been cancelled before a thread starts to run `body`.
    func run<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
        let isCancelled = Atomic(false)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                add {
                    continuation.resume(
                        with: Result {
                            if isCancelled.load(ordering: .relaxed) { throw CancellationError() }
                            return try body()
                        }
                    )
                }
            }
        } onCancel: {
            isCancelled.store(true, ordering: .relaxed)
        }
    }

    private func add(_ call: @escaping Call) {
        let needsThread = state.withLock { state in
            state.later.append(call)
            guard state.threads < maximum else { return false }
            state.threads += 1
            return true
        }
        guard needsThread else { return }
        // If no thread can be started, run the calls on this thread, because they still have to
        // return.
        do { try SystemThread.start { self.runWaiting() } } catch { runWaiting() }
    }

    private func runWaiting() {
        while let call = next() { call() }
    }

    /// The next call. If no call waits, returns nil, and the thread ends.
    private func next() -> Call? {
        state.withLock { state in
            let call = state.removeFirst()
            if call == nil { state.threads -= 1 }
            return call
        }
    }
}
