import Synchronization
import SystemSupport

/// Runs blocking calls of tasks on threads of its own. A thread ends when there are no more calls.
final class BlockingThreads: Sendable {
    private struct State {
        /// The calls that wait for a thread, oldest first.
        var waiting: [@Sendable () -> Void] = []
        var threads = 0
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

    private func add(_ call: @escaping @Sendable () -> Void) {
        let needsThread = state.withLock { state in
            state.waiting.append(call)
            guard state.threads < maximum else { return false }
            state.threads += 1
            return true
        }
        // Without a thread, the call still has to return.
        if needsThread, !SystemThread.start({ self.runWaiting() }) { runWaiting() }
    }

    private func runWaiting() {
        while let call = next() { call() }
    }

    private func next() -> (@Sendable () -> Void)? {
        state.withLock { state in
            if state.waiting.isEmpty {
                state.threads -= 1
                return nil
            }
            return state.waiting.removeFirst()
        }
    }
}
